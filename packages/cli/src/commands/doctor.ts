import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isHarnessError } from '@harnesswright/core'
import { INSTALL_SQLITE } from '@harnesswright/plugin-bank'
import { simModels } from '@harnesswright/plugin-model-sim'
import type { Arguments } from '../args/parse-arguments.js'
import { type Config, NO_CONFIG } from '../config/config.js'
import { findFile, readConfig } from '../config/read-config.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import { homeOf } from '../home.js'
import type { Io } from '../io.js'
import { makeDirectory } from '../make-directory.js'
import { chooseModel } from '../models/choose-model.js'
import { ENDPOINTS } from '../models/endpoints.js'
import { weightsFolder } from '../models/fetch-model-file.js'
import {
  findLlamaPackages,
  INSTALL_LLAMA,
  LLAMA_PLUGIN,
  type LlamaPlugin,
  loadLlamaPlugin,
} from '../models/llama-plugin.js'
import { findPackage } from '../packages/find-package.js'
import { listPackages, OWN_DIRECTORY } from '../packages/project-packages.js'
import { cleanLine } from '../text/clean.js'
import { formatTable } from '../text/format.js'
import { printListing, refuseWords } from './list-command.js'

/** One thing that was looked at. */
interface Finding {
  readonly name: string
  /**
   * `optional` is what is not there and can be done without, `missing` what something that is there needs, `later` what no
   * version has yet, `broken` what must be mended.
   */
  readonly state: 'ok' | 'optional' | 'missing' | 'later' | 'broken'
  readonly detail: string
}

const PROBE_MS = 500

/** Packages that are used when they are there. */
const OPTIONAL: readonly (readonly [name: string, brings: string])[] = [
  ['@harnesswright/plugin-bench', 'benchmarks and reports'],
  ['@harnesswright/plugin-tools-mcp', 'tools of MCP servers'],
  ['@harnesswright/plugin-training', 'training of the composer'],
]

/** Variables of the environment, none of which must be set, and what each is for. */
const VARIABLES: readonly (readonly [name: string, brings: string])[] = [
  ['OPENAI_API_KEY', 'the key for --model openai:<model>'],
  ['OPENAI_BASE_URL', 'the address of an endpoint of your own'],
  ['OPENAI_MODEL', 'the model of openai or of that endpoint, where --model names none'],
  ['HARNESSWRIGHT_MODEL', 'the model, where --model names none'],
  ['HARNESSWRIGHT_HOME', 'where runs are kept, other than in ~/.harnesswright'],
]

/** `doctor`: what works on this computer, what is not there, how to get it. */
export async function doctorCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const { finding, config } = await checkConfiguration(args, io)
  const findings = [
    checkNode(),
    await checkHome(io),
    finding,
    ...checkPackages(config, io.cwd),
    {
      name: 'simulated models',
      state: 'ok',
      detail: simModels()
        .map(({ id }) => id)
        .join(', '),
    } as const,
    checkModel(args, io, config),
    checkEndpoints(),
    await checkLlama(io),
    checkBank(),
    ...OPTIONAL.map(([name, brings]) => checkOptional(name, brings, io.cwd)),
    await probeOllama(io),
    ...VARIABLES.map(([name, brings]) => checkVariable(name, brings, io.env)),
  ]
  const lines = formatTable(findings.map(({ name, state, detail }) => [state, name, detail]))
  printListing({ json: { findings }, lines }, args, io)
  return findings.some(({ state }) => state === 'broken') ? EXIT.invalid : EXIT.ok
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isRight = major > 20 || (major === 20 && minor >= 19)
  const tested = process.platform === 'linux' ? '' : `; ${process.platform} is not tested`
  const detail = isRight ? `${process.versions.node}${tested}` : `${process.versions.node}: install 20.19 or later`
  return { name: 'Node.js', state: isRight ? 'ok' : 'broken', detail }
}

async function checkHome(io: Io): Promise<Finding> {
  const home = homeOf(io)
  try {
    makeDirectory(home)
    await access(home, constants.W_OK)
    return { name: 'home', state: 'ok', detail: home }
  } catch {
    return { name: 'home', state: 'broken', detail: `${home} cannot be written: set HARNESSWRIGHT_HOME` }
  }
}

/** A configuration that is code is run only when it is trusted already. */
async function checkConfiguration(args: Arguments, io: Io): Promise<{ finding: Finding; config: Config }> {
  const name = 'configuration'
  try {
    const file = findFile(args, io)
    const config = await readConfig(args, { ...io, isTTY: { ...io.isTTY, stdin: false } })
    return { finding: { name, state: 'ok', detail: file ?? 'none, which is fine' }, config }
  } catch (error) {
    if (!isHarnessError(error)) throw error
    return {
      finding: { name, state: 'broken', detail: `${error.code}: ${error.message} ${error.hint}` },
      config: NO_CONFIG,
    }
  }
}

function checkPackages(config: Config, cwd: string): Finding[] {
  try {
    const { catalog, warnings } = listPackages(config, cwd)
    return [
      ...catalog.packages.map(({ description, version }): Finding => {
        const slots = Object.values(description.modules).map(({ slot }) => slot)
        return { name: description.name, state: 'ok', detail: `${version}: ${[...new Set(slots)].join(', ')}` }
      }),
      ...warnings.map((warning): Finding => ({ name: 'package', state: 'broken', detail: warning })),
    ]
  } catch (error) {
    if (!isHarnessError(error)) throw error
    return [{ name: 'packages', state: 'broken', detail: `${error.code}: ${error.message} ${error.hint}` }]
  }
}

/** The model of a run that names none; a key alone names none. */
function checkModel(args: Arguments, io: Io, { defaults: { model: configured } }: Config): Finding {
  const name = 'model'
  try {
    const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
    return { name, state: 'ok', detail: `${cleanLine(choice.name)}, ${choice.why}` }
  } catch (error) {
    if (!isHarnessError(error)) throw error
    return { name, state: 'missing', detail: `${error.message} ${error.hint}` }
  }
}

/** The plugin comes with the command line, and speaks through a package that is its peer. */
function checkEndpoints(): Finding {
  const name = '@harnesswright/plugin-model-openai'
  const [plugin, client] = [name, 'openai'].map((one) => findPackage(one, OWN_DIRECTORY))
  if (plugin === undefined || client === undefined) {
    const missing = plugin === undefined ? name : 'openai'
    return { name, state: 'broken', detail: `${missing} is not installed: install harnesswright again` }
  }
  const versions = `${String(plugin.manifest['version'])} with openai ${String(client.manifest['version'])}`
  return { name, state: 'ok', detail: `${versions}: models of ${ENDPOINTS.map(([preset]) => preset).join(', ')}` }
}

/** The bank comes with the command line; the index of a large one is SQLite, for those who install it. */
function checkBank(): Finding {
  const name = '@harnesswright/plugin-bank'
  const plugin = findPackage(name, OWN_DIRECTORY)
  if (plugin === undefined) return { name, state: 'broken', detail: 'is not installed: install harnesswright again' }
  const sqlite = findPackage('libsql', plugin.directory)
  const index =
    sqlite === undefined
      ? `index in memory, for small banks; for large ones: ${INSTALL_SQLITE}`
      : `index by libsql ${String(sqlite.manifest['version'])}`
  return {
    name,
    state: sqlite === undefined ? 'optional' : 'ok',
    detail: `${String(plugin.manifest['version'])}: ${index}`,
  }
}

/** Models in this process are for those who install what they need. */
async function checkLlama(io: Io): Promise<Finding> {
  const { plugin, binding } = findLlamaPackages()
  const name = LLAMA_PLUGIN
  if (plugin === undefined || binding === undefined)
    return { name, state: 'optional', detail: `models in this process, --model llama:<name>; ${INSTALL_LLAMA}` }
  const loaded = await loadLlamaPlugin('doctor').catch((error: unknown) => error)
  if (isHarnessError(loaded)) return { name, state: 'broken', detail: `${loaded.message} ${loaded.hint}` }
  const { WEIGHTS, lookForWeights } = loaded as LlamaPlugin
  const there = WEIGHTS.filter((weights) => lookForWeights(weights, weightsFolder(io)).isThere)
  const fetched =
    there.length === 0
      ? 'no weights fetched: --model llama:<name> --download gets them'
      : `fetched: ${there.map(({ id }) => id).join(', ')}`
  const versions = `${String(plugin.manifest['version'])} with node-llama-cpp ${String(binding.manifest['version'])}`
  return { name, state: 'ok', detail: `${versions}; ${fetched}` }
}

function checkOptional(name: string, brings: string, cwd: string): Finding {
  const found = findPackage(name, cwd)
  if (found === undefined) return { name, state: 'later', detail: `will bring ${brings}; not part of this version` }
  return { name, state: 'ok', detail: `${String(found.manifest['version'])}: ${brings}` }
}

async function probeOllama(io: Io): Promise<Finding> {
  const isThere = await io
    .fetch('http://127.0.0.1:11434/api/version', { signal: AbortSignal.timeout(PROBE_MS) })
    .then(({ ok }) => ok)
    .catch(() => false)
  const detail = isThere
    ? 'answers on 127.0.0.1:11434: --model ollama:<model> works'
    : 'does not answer on 127.0.0.1:11434; start it, or get it at https://ollama.com, to use --model ollama:<model>'
  return { name: 'Ollama', state: isThere ? 'ok' : 'optional', detail }
}

/** Whether a variable is set; never what it holds. */
function checkVariable(name: string, brings: string, env: Io['env']): Finding {
  return env[name] ? { name, state: 'ok', detail: 'is set' } : { name, state: 'optional', detail: `not set: ${brings}` }
}
