/** Every way in which the command line ends. No other exit code is used. */
export const EXIT = {
  /** Answered; the check passed or there is none. Also a limit with a passed check. */
  ok: 0,
  checkFailed: 1,
  usage: 2,
  /** Invalid manifest, configuration or input file. */
  invalid: 3,
  /** The model cannot be used: credentials, quota, unreachable. */
  model: 4,
  /** A limit ended the run and there is no checked answer. */
  limit: 5,
  /** A module or plugin failed. */
  module: 6,
  /** The agent gave up. */
  gaveUp: 7,
  /** A person must answer. */
  waiting: 8,
  /** A bug of ours. */
  internal: 70,
  interrupted: 130,
  terminated: 143,
} as const

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
