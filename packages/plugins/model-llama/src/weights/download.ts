import { constants, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { type Clock, HarnessError, isHarnessError } from '@harnesswright/core'
import { BrokenLine, hostOf, openAddress } from './open-address.js'
import { watchIdle } from './watch-idle.js'

/** What is to be downloaded, and to where. */
export interface Download {
  readonly url: string
  /** Size that the file has. Nothing beyond it is taken. */
  readonly bytes: number
  /** Path of what there is so far. */
  readonly part: string
  readonly ca?: string
  readonly idleMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (receivedBytes: number) => void
}

const OK = 200
const PARTIAL = 206
const RANGE_NOT_THERE = 416

/**
 * Fetches what is missing of a file, in one attempt.
 *
 * @throws BrokenLine when another attempt may go on from there; HarnessError `E_LLAMA_DOWNLOAD` when none can; the reason of the signal.
 */
export async function downloadRest(download: Download): Promise<void> {
  const file = await open(download.part, constants.O_RDWR | constants.O_CREAT)
  const line = new AbortController()
  const stop = (): void => line.abort(download.signal.reason)
  download.signal.addEventListener('abort', stop, { once: true })
  const idle = watchIdle(download, () => line.abort(new BrokenLine(`nothing came for ${download.idleMs} ms`)))
  try {
    download.signal.throwIfAborted()
    const have = (await file.stat()).size
    if (have >= download.bytes) return await file.truncate(download.bytes)
    const { response, at } = await openAt(download, have, line.signal)
    // Nothing is cut off: another process may be fetching the same bytes to the same places.
    await receive(response, { ...download, file, at, touch: idle.touch })
  } catch (error) {
    throw line.signal.aborted ? line.signal.reason : error
  } finally {
    idle.stop()
    download.signal.removeEventListener('abort', stop)
    line.abort(null)
    await file.close()
  }
}

/** The answer that begins at a place of the file: where it was left, or its beginning. */
async function openAt(download: Download, have: number, signal: AbortSignal) {
  const { url, ca, bytes } = download
  const asked = { ...(ca === undefined ? {} : { ca }), signal }
  const response = await openAddress(url, { ...asked, from: have })
  if (response.statusCode === RANGE_NOT_THERE && have > 0) {
    response.destroy()
    return { response: checked(await openAddress(url, { ...asked, from: 0 }), 0, bytes), at: 0 }
  }
  const at = response.statusCode === PARTIAL ? have : 0
  return { response: checked(response, at, bytes), at }
}

/** The answer, when it holds the file from the place on, and nothing else. */
function checked(response: IncomingMessage, at: number, bytes: number): IncomingMessage {
  const { statusCode = 0, headers } = response
  const fault = faultOf(statusCode, headers, at, bytes)
  if (fault === undefined) return response
  response.destroy()
  if (statusCode === 429 || statusCode >= 500) throw new BrokenLine(fault)
  throw new HarnessError('E_LLAMA_DOWNLOAD', {
    message: `The weights cannot be downloaded: ${fault}.`,
    hint: 'Look at the page of the model, and give the path of a file that you fetched yourself.',
    details: { status: statusCode },
  })
}

function faultOf(status: number, headers: IncomingMessage['headers'], at: number, bytes: number): string | undefined {
  if (status !== OK && status !== PARTIAL) return `the server answers ${status}`
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') return `the server sends them as ${encoding.slice(0, 40)}, which was not asked for`
  const length = headers['content-length']
  if (length !== undefined && at + Number(length) !== bytes)
    return `the file has ${at + Number(length)} bytes, not ${bytes}`
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (status === PARTIAL && Number(range?.[1]) !== at)
    return 'the server sends another part of the file than was asked for'
  return undefined
}

interface Receiving extends Download {
  readonly file: { write(bytes: Buffer, from: number, length: number, at: number): Promise<unknown> }
  readonly at: number
  readonly touch: () => void
}

async function receive(
  response: IncomingMessage,
  { file, at, bytes, touch, onProgress, url }: Receiving,
): Promise<void> {
  let received = at
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      touch()
      if (received + chunk.length > bytes) throw tooLong(bytes)
      await file.write(chunk, 0, chunk.length, received)
      received += chunk.length
      onProgress(received)
    }
  } catch (error) {
    if (isHarnessError(error) || !isLineError(error)) throw error
    throw new BrokenLine(`the line to ${hostOf(url)} broke`, error)
  }
  if (received < bytes) throw new BrokenLine(`the line to ${hostOf(url)} ended after ${received} of ${bytes} bytes`)
}

/** Errors of the file system name what they called; those of the line do not, or name a call of the network. */
function isLineError(error: unknown): boolean {
  const { syscall } = error as { syscall?: string }
  return syscall === undefined || /^(read|connect|getaddrinfo)$/.test(syscall)
}

function tooLong(bytes: number): HarnessError {
  return new HarnessError('E_LLAMA_DOWNLOAD', {
    message: `The weights cannot be downloaded: the server sends more than the ${bytes} bytes that they have.`,
    hint: 'It is another file. Give the path of a file that you fetched yourself.',
    details: { bytes },
  })
}
