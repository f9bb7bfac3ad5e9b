// Property tests draw the same values in every run of the suite, so that what passed here passes there. `npm run test:fuzz` draws
// others, and more of them: HARNESSWRIGHT_FUZZ is how many runs a property gets that does not say so itself.
import fc from 'fast-check'

const runs = Number(process.env['HARNESSWRIGHT_FUZZ'] ?? 0)
fc.configureGlobal(runs > 0 ? { numRuns: runs } : { seed: 20_261_201 })
