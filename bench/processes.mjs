// The processes of a measurement. Where the system can, the endpoint has one core to itself and the measured process another.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const TIMEOUT_MS = 400_000
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0
const env = {
  ...process.env,
  NODE_ENV: 'production',
  NODE_NO_WARNINGS: '1',
  // Peers are measured without what they report of their use.
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGCHAIN_TRACING_V2: 'false',
  LANGSMITH_TRACING: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  VOLTAGENT_TELEMETRY_DISABLED: '1',
}

const commandOn = (core, args) =>
  canPin ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, args]

/** Starts the scripted endpoint; gives its address and what ends it. */
export async function startServer(delayMs) {
  const [command, args] = commandOn(1, [join(import.meta.dirname, 'server/serve.mjs'), String(delayMs)])
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(Number(data)))
    child.once('exit', (code) => reject(new Error(`the endpoint ended with ${code}`)))
  })
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop: () => child.kill() }
}

/** Makes one measurement in a fresh process; gives its result and the share of the machine that was busy. */
export async function measure(script, options) {
  const file = join(import.meta.dirname, 'measure', `${script}.mjs`)
  const [command, args] = commandOn(0, ['--expose-gc', file, JSON.stringify(options)])
  const before = cpuTimes()
  const output = await new Promise((resolve, reject) => {
    execFile(command, args, { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const ended = error.signal ?? error.code
      reject(new Error(`${script} of ${options.file} ended with ${ended}: ${stderr.trim().slice(-500)}`))
    })
  })
  return { ...JSON.parse(output.trim().split('\n').at(-1)), busy: busyShare(before, cpuTimes()) }
}

/** Time that the processors were idle, and all of it; nothing where the system does not say. */
function cpuTimes() {
  if (process.platform !== 'linux') return undefined
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number)
  return { idle: times[3] + times[4], all: times.slice(0, 8).reduce((sum, time) => sum + time, 0) }
}

function busyShare(before, after) {
  if (before === undefined || after.all === before.all) return null
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}
