import { join } from 'node:path'
import { HarnessError, isHarnessError } from '@harnesswright/core'
import type { FetchOptions, Weights } from '@harnesswright/plugin-model-llama'
import { homeOf } from '../home.js'
import type { Host } from '../run/host.js'
import { cleanLine } from '../text/clean.js'
import { formatCount, formatTime } from '../text/format.js'
import type { LlamaPlugin } from './llama-plugin.js'

/** What of a host a download needs. */
export type FetchHost = Pick<Host, 'args' | 'io' | 'screen'>

/** Pieces of a file move the line at most so often. */
const REDRAW_MS = 100

/** Folder of fetched weights. */
export function weightsFolder(io: Parameters<typeof homeOf>[0]): string {
  return join(homeOf(io), 'models')
}

/**
 * Sees to it that weights are in their folder. They are fetched with `--download`, or where a person at the terminal says yes;
 * their size, host and licence are told before.
 *
 * @param where - What named them, for errors.
 * @throws HarnessError `E_LLAMA_PERMISSION` or `E_LLAMA_TERMS` when nobody allowed it, and those of `fetchWeights`.
 */
export async function fetchModelFile(
  weights: Weights,
  plugin: LlamaPlugin,
  { where, ...host }: FetchHost & { readonly where: string },
): Promise<void> {
  const { args, io, screen } = host
  const folder = weightsFolder(io)
  const { isThere, partBytes } = plugin.lookForWeights(weights, folder)
  if (isThere) return
  const rest = partBytes > 0 ? `; ${sizeText(partBytes)} are there` : ''
  screen.line(`weights: ${offerText(weights)}${rest}`)
  let allowed = { download: args.switches.has('download'), acceptedTerms: args.lists['accept-license'] ?? [] }
  const startedAt = io.now()
  for (;;) {
    try {
      await plugin.fetchWeights(weights, { folder, ...allowed, ...told(weights, host) })
      screen.clear()
      return screen.progress(`weights: fetched in ${formatTime(io.now() - startedAt)}, their hash is right`)
    } catch (error) {
      screen.clear()
      allowed = await allowMore(error, allowed, { ...host, where })
    }
  }
}

type Allowed = Required<Pick<FetchOptions, 'download' | 'acceptedTerms'>>

/** What is allowed after a person said yes to what was refused. Every other failure, and every other answer, is thrown. */
async function allowMore(
  error: unknown,
  allowed: Allowed,
  host: FetchHost & { readonly where: string },
): Promise<Allowed> {
  if (!isHarnessError(error)) throw error
  const terms = error.code === 'E_LLAMA_TERMS' ? String(error.details['terms']) : undefined
  if (terms === undefined && error.code !== 'E_LLAMA_PERMISSION') throw error
  const question =
    terms === undefined ? 'download it?' : `do you accept ${error.details['licence']} (${error.details['licenceUrl']})?`
  if (!(await isAllowed(question, host))) throw withOption(error, terms, host.where)
  return terms === undefined
    ? { ...allowed, download: true }
    : { ...allowed, acceptedTerms: [...allowed.acceptedTerms, terms] }
}

async function isAllowed(question: string, { io, screen }: FetchHost): Promise<boolean> {
  if (!io.isTTY.stdin || !io.isTTY.stderr) return false
  screen.clear()
  return /^y(es)?$/i.test((await io.ask(`${cleanLine(question, 300)} (yes/no) > `)).trim())
}

/** The same error with the option of the command line that allows it. */
function withOption({ code, message, details }: HarnessError, terms: string | undefined, where: string): HarnessError {
  const option = terms === undefined ? '--download' : `--accept-license ${terms}`
  return new HarnessError(code, {
    message,
    hint: `Read ${details['licenceUrl']}, then add ${option}.`,
    details: { ...details, where, expected: option },
  })
}

/** How far the download is, on a line that changes; waits are lines that stay. */
function told({ url }: Weights, { io, screen }: FetchHost): Pick<FetchOptions, 'onProgress' | 'onRetry'> {
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    onProgress({ receivedBytes, totalBytes }) {
      if (io.now() - drawnAt < REDRAW_MS && receivedBytes < totalBytes) return
      drawnAt = io.now()
      const share = Math.floor((100 * receivedBytes) / totalBytes)
      screen.status(`weights: ${sizeText(receivedBytes)} of ${sizeText(totalBytes)}, ${share} %`)
    },
    onRetry: ({ delayMs, attempt }) =>
      screen.progress(`waiting ${formatTime(delayMs)} for ${hostOf(url)}: attempt ${attempt}`),
  }
}

/** What would be fetched, from where, under which licence. */
function offerText({ id, bytes, url, licence, licenceUrl }: Weights): string {
  return `${id}, ${sizeText(bytes)} from ${hostOf(url)}, ${licence} (${licenceUrl})`
}

/** Bytes as a size that people read. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${formatCount(bytes)} bytes` : `${formatCount(Math.ceil(bytes / 1e6))} MB`
}

function hostOf(url: string): string {
  return new URL(url).host
}
