// What is measured: each plan is a list of rows, and a row is measured for every loop, in turns, in several processes.

const FULL = { processes: 9, manyProcesses: 5, runs: 24 }
const QUICK = { processes: 3, manyProcesses: 2, runs: 12 }

/** The plans by name. A row with `delayMs` needs the endpoint on the loopback interface. */
export function plansOf(isQuick) {
  const { processes, manyProcesses, runs } = isQuick ? QUICK : FULL
  const step = (title, options) => ({ title, script: 'steps', processes, options: { steps: 20, runs, ...options } })
  const many = (title, options) => ({
    title,
    script: 'many',
    processes: manyProcesses,
    options: { steps: 20, ...options },
  })
  return {
    calls: [
      step('stub', { isStub: true }),
      step('stub, streaming', { isStub: true, isStream: true }),
      { ...step('loopback', {}), delayMs: 0 },
      { ...step('loopback, streaming', { isStream: true }), delayMs: 0 },
    ],
    growth: [
      step('5 steps', { isStub: true, steps: 5, runs: runs * 2 }),
      step('20 steps', { isStub: true }),
      step('100 steps', { isStub: true, steps: 100, runs: 8 }),
    ],
    many: [
      { ...many('200 at once', { atOnce: 200 }), delayMs: 50 },
      { ...many('1,000 at once', { atOnce: 1_000 }), delayMs: 0 },
    ],
    leaks: [
      {
        title: '1,000 runs',
        script: 'leaks',
        processes: Math.min(manyProcesses, 3),
        options: { steps: 20 },
        delayMs: 0,
      },
    ],
    imports: [{ title: 'import', script: 'imports', processes, options: {} }],
  }
}

/** What is imported, by title: the packages of each loop, and for two of them the package at their centre alone. */
export function importsOf(loops) {
  return loops.flatMap(({ name, file }) => {
    const whole = { name, file, load: 'load' }
    if (name === 'raw fetch') return []
    if (name === 'harnesswright') return [{ name: '@harnesswright/core alone', file, load: 'loadCore' }, whole]
    return name === 'ai' ? [{ name: 'package ai alone', file, load: 'loadCore' }, whole] : [whole]
  })
}
