// CPU per model call: the median over runs, after runs that warm the code up. { file, baseUrl, steps, isStream, isStub, runs }
import { collectGarbage, cpuMs, options, readyRun, report } from './report.mjs'

const { steps, runs } = options
const run = await readyRun()
for (let count = 0; count < Math.max(3, runs / 4); count++) await run()
await collectGarbage()
const perCall = []
for (let count = 0; count < runs; count++) {
  const before = process.cpuUsage()
  await run()
  perCall.push(cpuMs(process.cpuUsage(before)) / (steps + 1))
}
report({ cpuMs: perCall.sort((a, b) => a - b)[runs >> 1] })
