import type { StageName } from '../module/module.js'

/** Named stages, as tapable numbers. Raw numbers are not used. */
export const STAGES: Readonly<Record<StageName, number>> = {
  guard: -200,
  early: -100,
  normal: 0,
  late: 100,
  audit: 200,
}
