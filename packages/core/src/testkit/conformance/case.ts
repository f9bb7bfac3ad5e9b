/** One rule, as data: any test runner can host it. */
export interface ConformanceCase {
  /** Code of the rule, then the rule in a sentence. */
  readonly name: string
  /** Rejects with what is wrong when the module breaks the rule. */
  run(): Promise<void>
}

/** Fails the case when the condition does not hold. */
export function check(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
