import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

/** Serves until something was done with what it printed, and ends it with a signal. */
async function serveWhile<T>(
  use: (printed: string) => Promise<T>,
  { argv = [], signal = 'SIGINT' }: { argv?: readonly string[]; signal?: 'SIGINT' | 'SIGTERM' } = {},
) {
  let used: Promise<T> | undefined
  const said = await box.run(['sim', 'serve', ...argv], {
    onOutput: (text, send) => {
      used = use(text).finally(() => send(signal))
      used.catch(() => {}) // seen below
    },
  })
  return { ...said, used: await used }
}

/** Asks for the list of models. */
async function listModels(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/models`)
  const { data } = (await response.json()) as { data: readonly { id: string }[] }
  return data.map(({ id }) => id)
}

describe('sim serve', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its address alone on standard output, answers there, and ends with 0 and a closed port on %s',
    async (signal) => {
      const { code, stdout, stderr, used } = await serveWhile((printed) => listModels(printed.trim()), { signal })

      expect(code).toBe(0)
      expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\n$/)
      expect(used).toContain('sim-mid')
      expect(stderr).toContain(`OPENAI_BASE_URL=${stdout.trim()} harnesswright run --world quotes --model sim:sim-mid`)
      expect(stderr).toMatch(/^stopped$/m)
      await expect(listModels(stdout.trim())).rejects.toThrow('fetch failed')
    },
  )

  test('serves what a run on it needs', async () => {
    const { used } = await serveWhile((printed) =>
      box.run(['run', '--world', 'quotes', '--rng', '7', '--model', 'sim:sim-mid'], {
        env: { OPENAI_BASE_URL: printed.trim() },
      }),
    )

    expect(used).toMatchObject({ code: 0, stderr: expect.stringMatching(/^check: passed$/m) })
  })

  test('--json prints one object with the address and the models, and --quiet nothing else', async () => {
    const read = (printed: string) => JSON.parse(printed) as { url: string; models: readonly string[] }
    const { stdout, stderr, used } = await serveWhile(async (printed) => listModels(read(printed).url), {
      argv: ['--json', '--quiet'],
    })

    expect(read(stdout)).toEqual({ url: expect.stringMatching(/^http:/), models: used })
    expect(stderr).toBe('')
  })

  test('--port names the port, and one that is taken is told', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo // it listens on a port, not on a pipe

    const refused = await box.run(['sim', 'serve', '--port', String(port)])
    await new Promise((resolve) => taken.close(resolve))
    const served = await serveWhile(async () => {}, { argv: ['--port', String(port)] })

    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toMatch(
      /^error\[E_SIM_SERVE\] .+\nwhere: --port\nexpected: a port that is free\nfix: Name another with --port, [^\n]+\ndocs: .+errors-sim\.md#e_sim_serve$/m,
    )
    expect(refused.stderr).not.toContain('token')
    expect(served).toMatchObject({ code: 0, stdout: `http://127.0.0.1:${port}/v1\n` })
  })

  test.each([
    [[]],
    [['serve', 'more']],
    [['stop']],
    [['serve', '--port', '70000']],
    [['serve', '--port', 'http']],
    [['serve', '--world', 'quotes']],
  ])('sim %j is told how it is used', async (words) => {
    const { code, stdout, stderr } = await box.run(['sim', ...words])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error\[E_CLI_\w+\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: .+$/m)
  })
})
