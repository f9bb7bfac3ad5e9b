// Many runs at once: CPU per model call, longest stall of the event loop, growth of memory. { file, baseUrl, steps, atOnce }
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectGarbage, cpuMs, options, readyRun, report } from './report.mjs'

const { steps, atOnce } = options
const run = await readyRun()
for (let count = 0; count < 3; count++) await run()
await collectGarbage()
const { rss: restingBytes } = process.memoryUsage()
let peakBytes = restingBytes
const look = () => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}
const timer = setInterval(look, 20)
const delays = monitorEventLoopDelay({ resolution: 10 })
delays.enable()
const before = process.cpuUsage()
const ended = await Promise.allSettled(Array.from({ length: atOnce }, run))
const used = cpuMs(process.cpuUsage(before))
delays.disable()
clearInterval(timer)
look()
const failed = ended.filter(({ status }) => status === 'rejected')
report({
  failed: failed.length,
  ...(failed.length === 0 ? {} : { why: String(failed[0].reason).slice(0, 200) }),
  cpuMs: used / (atOnce * (steps + 1)),
  stallMs: delays.max / 1e6,
  grownBytes: peakBytes - restingBytes,
})
