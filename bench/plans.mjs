// What is measured: each plan is a list of rows, and a row is measured for every loop, in turns, in several processes.

const FULL = { processes: 9, manyProcesses: 5 }
const QUICK = { processes: 3, manyProcesses: 2 }

/** The first runs of a process. V8 drops compiled code at a collection that is asked for, and compiles during all of them. */
const YOUNG = { warmUps: 6, runs: 24, collects: true }
/** Runs of a process that has made many, and whose code is compiled. */
const WARM = { warmUps: 250, runs: 50, collects: false }

/** The plans by name. A row with `delayMs` needs the endpoint on the loopback interface. */
export function plansOf(isQuick) {
  const { processes, manyProcesses } = isQuick ? QUICK : FULL
  const step = (title, options) => ({
    title,
    script: 'steps',
    processes,
    options: { steps: 20, ...YOUNG, isStub: true, ...options },
  })
  const many = (title, options) => ({
    title,
    script: 'many',
    processes: manyProcesses,
    options: { steps: 20, ...options },
  })
  return {
    calls: [
      step('stub', {}),
      step('stub, streaming', { isStream: true }),
      { ...step('loopback', { isStub: false }), delayMs: 0 },
      { ...step('loopback, streaming', { isStub: false, isStream: true }), delayMs: 0 },
    ],
    warm: [step('stub', WARM), step('stub, streaming', { ...WARM, isStream: true })],
    growth: [
      step('5 steps', { steps: 5, warmUps: 12, runs: 48 }),
      step('20 steps', {}),
      step('100 steps', { steps: 100, warmUps: 3, runs: 8 }),
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
