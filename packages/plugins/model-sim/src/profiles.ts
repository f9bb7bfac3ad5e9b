/**
 * Everything that limits the simulated models, in one place.
 *
 * A change here changes every published figure: raise `PROFILES_VERSION` and its date with it, and rerun every published
 * table. A parameter that changes no result on any world is dead: `test/liveness.test.ts` finds it.
 */

/** Version of the profiles. Figures of different versions must not be compared. */
export const PROFILES_VERSION = '1'

/** The day on which the profiles took their present values: the date of their prices. */
export const PROFILES_DATE = '2026-11-30'

/** The parameters of one simulated model. Rates are probabilities, 0 to 1. */
export interface SimParameters {
  /** Tokens of a request, tool schemas too, above which it is refused. */
  readonly windowTokens: number
  /** Goals held without a plan. */
  readonly horizon: number
  /** Rate at which each goal beyond the horizon is lost for the run. */
  readonly lose: number
  /** Recall of a fact at the very end of a request. */
  readonly r0: number
  /** Share of recall lost to distance at most. */
  readonly far: number
  /** Distance in tokens at which most of `far` is lost. */
  readonly distTokens: number
  /** Share of recall lost in a full window. */
  readonly fill: number
  /** Rate at which a fact that is not recalled is replaced by a wrong value instead of missed. */
  readonly confab: number
  /** Rate at which a new fact is repeated in the text of a reply. */
  readonly note: number
  /** Rate at which a summary keeps a fact. */
  readonly keep: number
  /** Rate at which a fact is changed while it is written. */
  readonly garble: number
  /** Longest summary in tokens. */
  readonly summaryTokens: number
  /** Rate at which a plan leaves a goal out. */
  readonly planOmit: number
  /** Rate at which a line of arithmetic is wrong. */
  readonly slip: number
  /** Hazard of an answer given too early. */
  readonly premature: number
  /** Rate of replies with broken arguments. */
  readonly malformed: number
  /** Rate of replies that call a tool that does not exist. */
  readonly halluc: number
  /** Rate of replies that make the last call again. */
  readonly loop: number
  /** Rate at which a call goes to a neighbouring tool, for each tool it may be taken for. */
  readonly confuse: number
  /** Most calls of one reply for goals that a directive names together. */
  readonly par: number
  /** Rate of a second call without a directive, where several are allowed. */
  readonly spont: number
  /** Rate at which an offered fold is taken up. */
  readonly fold: number
  /** Noise of a candidate's score, as a share of it. */
  readonly judge: number
  /** Tokens thought in a plain reply. */
  readonly thinkTokens: number
  /** USD per million tokens. */
  readonly usd: { readonly input: number; readonly cached: number; readonly output: number }
  /** Time to the first token in ms. */
  readonly ttftMs: number
  /** Tokens of uncached input a second. */
  readonly prefillPerSecond: number
  /** Tokens of output a second. */
  readonly decodePerSecond: number
}

const FRONTIER: SimParameters = {
  windowTokens: 128_000,
  horizon: 14,
  lose: 0.12,
  r0: 0.999,
  far: 0.08,
  distTokens: 40_000,
  fill: 0.08,
  confab: 0.2,
  note: 0.8,
  keep: 0.997,
  garble: 0.0005,
  summaryTokens: 300,
  planOmit: 0.01,
  slip: 0.002,
  premature: 0.002,
  malformed: 0.004,
  halluc: 0.002,
  loop: 0.003,
  confuse: 0.01,
  par: 5,
  spont: 0.25,
  fold: 0.95,
  judge: 0.1,
  thinkTokens: 90,
  usd: { input: 2.5, cached: 0.25, output: 10 },
  ttftMs: 900,
  prefillPerSecond: 6_000,
  decodePerSecond: 70,
}

const MID: SimParameters = {
  windowTokens: 32_000,
  horizon: 8,
  lose: 0.22,
  r0: 0.997,
  far: 0.18,
  distTokens: 8_000,
  fill: 0.15,
  confab: 0.35,
  note: 0.65,
  keep: 0.99,
  garble: 0.002,
  summaryTokens: 200,
  planOmit: 0.02,
  slip: 0.01,
  premature: 0.008,
  malformed: 0.015,
  halluc: 0.006,
  loop: 0.008,
  confuse: 0.03,
  par: 5,
  spont: 0.15,
  fold: 0.85,
  judge: 0.2,
  thinkTokens: 60,
  usd: { input: 0.4, cached: 0.1, output: 1.6 },
  ttftMs: 500,
  prefillPerSecond: 9_000,
  decodePerSecond: 110,
}

const SMALL: SimParameters = {
  windowTokens: 16_000,
  horizon: 4,
  lose: 0.26,
  r0: 0.99,
  far: 0.32,
  distTokens: 4_000,
  fill: 0.25,
  confab: 0.5,
  note: 0.45,
  keep: 0.975,
  garble: 0.004,
  summaryTokens: 120,
  planOmit: 0.04,
  slip: 0.03,
  premature: 0.02,
  malformed: 0.04,
  halluc: 0.02,
  loop: 0.02,
  confuse: 0.06,
  par: 4,
  spont: 0.05,
  fold: 0.6,
  judge: 0.35,
  thinkTokens: 30,
  usd: { input: 0.05, cached: 0.0125, output: 0.2 },
  ttftMs: 250,
  prefillPerSecond: 14_000,
  decodePerSecond: 180,
}

const CHAOS: SimParameters = {
  ...MID,
  malformed: 0.12,
  halluc: 0.08,
  confuse: 0.15,
  loop: 0.06,
  premature: 0.04,
  garble: 0.02,
  planOmit: 0.1,
}

/** Name of a simulated model. */
export type SimProfile = 'sim-frontier' | 'sim-mid' | 'sim-small' | 'sim-chaos'

/** The simulated models by name. */
export const PROFILES: Readonly<Record<SimProfile, SimParameters>> = {
  'sim-frontier': FRONTIER,
  'sim-mid': MID,
  'sim-small': SMALL,
  'sim-chaos': CHAOS,
}

/** What holds for every profile. */
export const MECHANICS = {
  charsPerToken: 4,
  /** Most tokens of one reply. */
  outputTokens: 4_096,
  /** Tokens that each message costs beside its text. */
  messageTokens: 4,
  /** Shortest prefix that is cached, in tokens. */
  cacheTokens: 1_024,
  /** How much of its distance counts for a text that is no observation. */
  noteDistance: 0.3,
  /** How much of the loss counts for what is remembered of one's own progress. */
  progressLoss: 0.15,
  /** How much of the rate of loss counts for the deliverable. */
  finalLoss: 0.3,
  /** How much of the hazard of a premature answer is left under a directive that names an open goal. */
  directedHazard: 0.35,
  /** Calls of one kind in view after which a goal is given up: failed ones, all, all of the last. */
  giveUp: { failed: 2, made: 4, inRow: 3 },
  /** Longest note in the text of a reply, in tokens. */
  noteTokens: 200,
  /** Lines of a plan without a schema. */
  planItems: 7,
  /** How much longer than for a plain reply is thought, by purpose. */
  think: {
    plan: 5,
    judge: 3,
    review: 2,
    aggregate: 2,
    research: 1.5,
    recall: 1.5,
    memorise: 0.5,
    abstract: 0.3,
  } as Readonly<Record<string, number>>,
} as const

/** What shapes the replies to requests of memories, planners, judges and orchestrators, for every profile. */
export const FORMS = {
  /** A task is atomic with at most so many goals, or the profile's horizon, whose observations fit that share of the window. */
  atomic: { goals: 6, fill: 0.6, wrong: 0.03 },
  /** What support by a fact in view counts beside the vote of a candidate; most look-ups of a judge. */
  judge: { support: 1.5, looks: 8 },
  /** An offered fold is considered from so many raw tokens in view on, or that share of the window. */
  fold: { rawTokens: 8_000, share: 0.25 },
  /** The newest entries, which a memory is not told to flush or fold. */
  keptEntries: 2,
  /** Most things that are looked for at once, and most entries that are cited, where the schema does not say. */
  looksAtOnce: 5,
  /** How often a goal is delegated, and a tool looked for, at most. */
  tries: 2,
} as const
