import { type EntryKind, LOG_VERSION } from './entry.js'

type Check = readonly [expected: string, holds: (value: unknown) => boolean]

const MOST_TEXT = 200_000
/** Manifests have fewer levels; what has thousands cannot be written again. */
const MOST_DEPTH = 200
/** A date has at most so many ms before or after 1970. */
const MOST_TIME = 8.64e15

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isAmount = (value: unknown): boolean => isNumber(value) && Number(value) >= 0
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const orNull = ([expected, holds]: Check): Check => [`${expected}, or null`, (value) => value === null || holds(value)]
const oneOf = (...values: readonly string[]): Check => [values.join(', '), (value) => values.includes(value as string)]

const TEXT: Check = ['a text', (value) => typeof value === 'string' && value.length <= MOST_TEXT]
const NAME: Check = [
  'a text of 1 to 500 characters',
  (value) => typeof value === 'string' && value.length > 0 && value.length <= 500,
]
const AMOUNT: Check = ['a number from 0', isAmount]
const COUNT: Check = ['a whole number from 0', isCount]
const FLAG: Check = ['true or false', (value) => typeof value === 'boolean']
const NAMES: Check = ['a list of texts', (value) => Array.isArray(value) && value.every(NAME[1])]
const JSON_VALUE: Check = [
  `a JSON value of at most ${MOST_DEPTH} levels`,
  (value) => value !== undefined && isFlat(value),
]
const OBJECT: Check = [`an object of at most ${MOST_DEPTH} levels`, (value) => isRecord(value) && isFlat(value)]
const SHARE: Check = ['a number from 0 to 1', (value) => isAmount(value) && Number(value) <= 1]

const CELL = { clusterId: NAME, backbone: NAME, priceTable: NAME, protocol: COUNT } as const

/** The fields of each kind, beside those that every entry has. */
const FIELDS: Readonly<Record<EntryKind, Readonly<Record<string, Check>>>> = {
  harness: {
    name: TEXT,
    manifest: OBJECT,
    card: TEXT,
    status: oneOf('candidate', 'confirmed', 'champion', 'retired', 'quarantined'),
    operator: oneOf('seed', 'generate', 'repair', 'mutate', 'crossover'),
    createdBy: TEXT,
    parentIds: NAMES,
    referenceIds: NAMES,
    promptHash: orNull(TEXT),
    model: orNull(TEXT),
    catalogueVersion: orNull(TEXT),
    predicted: JSON_VALUE,
  },
  evaluation: {
    ...CELL,
    harnessId: NAME,
    taskId: NAME,
    seed: ['a number', isNumber],
    budget: JSON_VALUE,
    reward: orNull(SHARE),
    rewardKind: oneOf('hard', 'judge', 'person'),
    masked: FLAG,
    failureKind: orNull(TEXT),
    ms: orNull(AMOUNT),
    usd: orNull(AMOUNT),
    inputTokens: orNull(COUNT),
    cachedTokens: orNull(COUNT),
    outputTokens: orNull(COUNT),
    steps: COUNT,
    repairs: COUNT,
    traceRef: orNull(TEXT),
  },
  decision: {
    ...CELL,
    rule: NAME,
    ruleVersion: COUNT,
    verdict: NAME,
    reason: TEXT,
    challengerId: NAME,
    championId: orNull(NAME),
    anchorId: orNull(NAME),
    numbers: JSON_VALUE,
  },
  champion: { ...CELL, harnessId: NAME, evidenceId: orNull(NAME) },
  anchor: { ...CELL, harnessId: NAME, evidenceId: orNull(NAME) },
  cluster: {
    version: COUNT,
    name: TEXT,
    features: ['an object of numbers, texts, true, false and null', isTaskRecord],
    exemplars: ['a list of objects with taskId and text', areExemplars],
  },
}

const BASE: Readonly<Record<string, Check>> = {
  v: [
    `a version from 1 to ${LOG_VERSION}`,
    (value) => isCount(value) && Number(value) >= 1 && Number(value) <= LOG_VERSION,
  ],
  id: NAME,
  at: ['a time in ms since 1970', (value) => isNumber(value) && Math.abs(Number(value)) <= MOST_TIME],
}

/** Fields of each kind as pairs, made once: a million lines are checked with them. */
const CHECKS: Readonly<Record<string, readonly (readonly [string, Check])[]>> = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, fields]) => [kind, Object.entries({ ...BASE, ...fields })]),
)

/** What is wrong with something that should be an entry, or undefined. */
export function faultOfEntry(value: unknown): string | undefined {
  if (!isRecord(value)) return 'an entry is an object'
  const checks = Object.hasOwn(CHECKS, String(value['kind'])) ? CHECKS[String(value['kind'])] : undefined
  if (checks === undefined) return `kind is ${shown(value['kind'])}, expected ${Object.keys(CHECKS).join(', ')}`
  for (const [name, [expected, holds]] of checks)
    if (!holds(value[name])) return `${name} is ${shown(value[name])}, expected ${expected}`
  if (value['kind'] === 'evaluation' && (value['reward'] === null) !== value['masked'])
    return 'reward is null exactly where masked is true'
  return undefined
}

function shown(value: unknown): string {
  const text = isFlat(value) ? (JSON.stringify(value) ?? 'missing') : 'nested too deep'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFlat(value: unknown, levels = MOST_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isFlat(one, levels - 1))
}

function isTaskRecord(value: unknown): boolean {
  const isFeature = (one: unknown): boolean =>
    one === null || typeof one === 'string' || typeof one === 'boolean' || isNumber(one)
  return isRecord(value) && Object.values(value).every(isFeature)
}

function areExemplars(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && NAME[1](one['taskId']) && TEXT[1](one['text']))
}
