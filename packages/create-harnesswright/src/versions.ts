/** Versions of ours that a new package works with: every one before the next that may break it. */
export const OWN_RANGE = '>=0.1.0 <1.0.0'

/** Range of the schema library that options are written with. */
export const ZOD_RANGE = '^4.6.7'

/** Ranges of what a new package is built and tested with. */
export const TOOL_RANGES = { typescript: '^7.0.2', vitest: '^4.1.12' } as const
