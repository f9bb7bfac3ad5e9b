// The steps of the test: each is a line with its time, and what it found out.

/** Counts steps. `step` does not throw: what comes after a step that failed is tried too, unless `must` is asked first. */
export function createSteps() {
  const count = { passed: 0, failed: 0, skipped: 0 }
  return {
    count,
    /** Does one step; what it gives, if anything, stands in its line. */
    async step(name, work) {
      const begin = performance.now()
      try {
        const found = await work()
        count.passed++
        const ms = Math.round(performance.now() - begin)
        console.log(`ok   ${name}${found === undefined ? '' : `: ${found}`} (${ms} ms)`)
      } catch (error) {
        count.failed++
        console.log(`FAIL ${name}\n${error.stack ?? error}`)
      }
    },
    /** Says what was not looked at, and why. */
    skip(name, why) {
      count.skipped++
      console.log(`skip ${name}: ${why}`)
    },
    /** Throws when a step has failed. */
    must(what) {
      if (count.failed > 0) throw new Error(`stopped before ${what}`)
    },
  }
}

/** Does pieces of work, two at a time, in their order. */
export async function inLanes(pieces, lanes = 2) {
  const left = [...pieces]
  const lane = async () => {
    for (let piece = left.shift(); piece !== undefined; piece = left.shift()) await piece()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
