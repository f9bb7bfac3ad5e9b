import { HarnessError, isHarnessError } from '@harnesswright/core'
import { type SimServer, serveSim, simModels } from '@harnesswright/plugin-model-sim'
import type { Arguments } from '../args/parse-arguments.js'
import { parsePort } from '../args/parse-port.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { DEFAULT_MODEL } from '../models/choose-model.js'
import { ADDRESS_VARIABLE } from '../models/endpoints.js'
import { Screen } from '../output/screen.js'
import { cleanJson } from '../text/clean.js'

/**
 * `sim serve`: the simulated models on a port of this computer, until a signal ends it. To be stopped is how it is meant to
 * end, so the exit code then is 0.
 */
export async function simCommand(args: Arguments, io: Io): Promise<ExitCode> {
  checkWords(args.positionals)
  const port = parsePort(args.values['port'])
  const screen = new Screen(io, args)
  const stopped = stopOf(io)
  try {
    const server = await serveOn(port)
    try {
      sayServer(server, args, io)
      sayUse(server.url, screen)
      await stopped.signal
    } finally {
      await server.close()
    }
  } finally {
    stopped.forget()
  }
  screen.progress('stopped')
  return EXIT.ok
}

/** Serves on this computer alone: what can be wrong there is the port. */
async function serveOn(port: number): Promise<SimServer> {
  try {
    return await serveSim({ port })
  } catch (error) {
    if (!isHarnessError(error) || error.code !== 'E_SIM_SERVE') throw error
    const { message, cause } = error
    throw new HarnessError('E_SIM_SERVE', {
      message,
      hint: 'Name another with --port, or leave --port out for any that is free.',
      cause,
    })
  }
}

/** Listened for before there is a server, so that no signal finds one that nobody would close. */
function stopOf(io: Io): { readonly signal: Promise<void>; forget(): void } {
  let forget = (): void => {}
  const signal = new Promise<void>((resolve) => {
    forget = io.onSignal(() => resolve())
  })
  return { signal, forget: () => forget() }
}

function sayServer({ url }: SimServer, { switches }: Arguments, io: Io): void {
  const models = simModels().map(({ id }) => id)
  io.stdout.write(switches.has('json') ? `${cleanJson({ url, models })}\n` : `${url}\n`)
}

function sayUse(url: string, screen: Screen): void {
  const models = simModels().map(({ id }) => id)
  screen.progress(`serving ${models.join(', ')}: simulated, no language models. They read the tasks of --world alone.`)
  screen.progress(`  ${ADDRESS_VARIABLE}=${url} harnesswright run --world quotes --model sim:${DEFAULT_MODEL}`)
  screen.progress('Any client of the Chat Completions interface can use this address; no key is asked for.')
  screen.progress('To stop it, press Ctrl-C.')
}

function checkWords(words: readonly string[]): void {
  if (words.length === 1 && words[0] === 'serve') return
  throw cliError('E_CLI_USAGE', {
    message:
      words.length === 0
        ? '"sim" needs to know what to do.'
        : `"sim" does not know ${JSON.stringify(words.join(' '))}.`,
    where: 'harnesswright sim',
    expected: 'serve, and nothing after it but options',
    fix: 'Write "harnesswright sim serve".',
  })
}
