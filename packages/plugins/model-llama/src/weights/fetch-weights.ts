import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, HarnessError, isHarnessError, type Retry, systemClock } from '@harnesswright/core'
import { type Download, downloadRest } from './download.js'
import { lookForWeights, megabytes, partFile } from './fetched-file.js'
import { BrokenLine, hostOf } from './open-address.js'
import { findWeights, type Weights } from './table.js'

/** How far a download is. */
export interface FetchProgress {
  readonly receivedBytes: number
  readonly totalBytes: number
}

/** Where weights are put, and what a person allowed. */
export interface FetchOptions {
  /** Folder of weights. It is made where it is not there. */
  readonly folder: string
  /** A person allowed this download, knowing its size and licence. Default false: then nothing is fetched. */
  readonly download?: boolean
  /** Names of terms that a person accepted, such as `gemma`. Default none. */
  readonly acceptedTerms?: readonly string[]
  /** SHA-256 in hex digits, for weights whose hash the table does not know. */
  readonly sha256?: string
  /** Ends the download; what has come stays, and the next one goes on from there. */
  readonly signal?: AbortSignal
  /** Told at each piece. */
  readonly onProgress?: (progress: FetchProgress) => void
  /** Told before each wait for another attempt. */
  readonly onRetry?: (retry: Retry) => void
  /** Longest silence of the line in ms. Default 60,000. */
  readonly idleMs?: number
  /** Further certificates to trust, in PEM, for a gateway that has its own. */
  readonly ca?: string
  /** Time of waits. Default: the clock of the computer. */
  readonly clock?: Clock
}

/** Waits in ms before the next attempts. An attempt that brought something begins the list anew, but for the total below. */
const WAITS = [1_000, 2_000, 4_000, 8_000] as const
/** Most attempts of one call. */
const MAX_ATTEMPTS = 20

/**
 * Gives the file of weights, and downloads it where it is not there: over https, up to the size that is stated, under
 * another name until its SHA-256 was right. A download that broke off goes on where it was.
 *
 * @param weights - Name in the table, or weights of your own.
 * @returns Path of the file.
 * @throws HarnessError `E_LLAMA_WEIGHTS` when there are none of that name; `E_LLAMA_PERMISSION` without `download: true`;
 * `E_LLAMA_TERMS` when terms are to be accepted first; `E_LLAMA_HASH` when no hash is known, or that of the file is wrong;
 * `E_LLAMA_FOLDER` when the folder cannot be written or has no room; `E_LLAMA_DOWNLOAD` when the file does not come; the
 * reason of the signal.
 */
export async function fetchWeights(weights: string | Weights, options: FetchOptions): Promise<string> {
  const wanted = typeof weights === 'string' ? findWeights(weights) : weights
  const { file, isThere, partBytes } = lookForWeights(wanted, options.folder)
  if (isThere) return file
  const sha256 = allowed(wanted, options)
  const part = partFile(file)
  try {
    await makeRoom(dirname(part), wanted.bytes - partBytes)
    await downloadAll(wanted, part, options)
    await checkHash(part, sha256, wanted)
    await rename(part, file)
  } catch (error) {
    // Another process may have finished the same file in the meantime.
    if ((error as { code?: string }).code === 'ENOENT' && lookForWeights(wanted, options.folder).isThere) return file
    throw options.signal?.aborted === true || isHarnessError(error) ? error : folderError(options.folder, error)
  }
  return file
}

/** The hash to check against, when a person allowed all that is to be allowed. */
function allowed(weights: Weights, { download, acceptedTerms = [], sha256 }: FetchOptions): string {
  const { id, bytes, licence, licenceUrl, terms } = weights
  const details = { id, bytes, licence, licenceUrl, host: hostOf(weights.url) }
  if (download !== true) {
    throw new HarnessError('E_LLAMA_PERMISSION', {
      message: `The weights of ${id} are not there, and nobody allowed to download them: ${megabytes(bytes)} from ${details.host}, ${licence}.`,
      hint: `Read ${licenceUrl}, then allow it with download: true.`,
      details,
    })
  }
  if (terms !== undefined && !acceptedTerms.includes(terms)) {
    throw new HarnessError('E_LLAMA_TERMS', {
      message: `The weights of ${id} come under terms that are to be accepted first: ${licence}.`,
      hint: `Read ${licenceUrl}, then accept them with acceptedTerms: ['${terms}'].`,
      details: { ...details, terms },
    })
  }
  const hash = weights.sha256 ?? sha256
  if (hash !== undefined && /^[0-9a-f]{64}$/i.test(hash)) return hash.toLowerCase()
  throw new HarnessError('E_LLAMA_HASH', {
    message:
      hash === undefined ? `The hash of ${id} is not known: nothing could be checked.` : `"sha256" is no SHA-256.`,
    hint: 'Give "sha256", 64 hex digits from a place that you trust.',
    details,
  })
}

async function makeRoom(folder: string, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  throw folderError(folder, new Error(`it has room for ${megabytes(free)}, and ${megabytes(bytes)} are needed`))
}

async function downloadAll({ url, bytes }: Weights, part: string, options: FetchOptions): Promise<void> {
  const { clock = systemClock, idleMs = 60_000, signal = new AbortController().signal, ca, onProgress } = options
  let receivedBytes = 0
  const download: Download = {
    url,
    bytes,
    part,
    clock,
    idleMs,
    signal,
    ...(ca === undefined ? {} : { ca }),
    onProgress: (received) => {
      receivedBytes = received
      onProgress?.({ receivedBytes, totalBytes: bytes })
    },
  }
  for (let attempt = 1, failures = 0; ; attempt++) {
    const before = receivedBytes
    try {
      return await downloadRest(download)
    } catch (error) {
      if (!(error instanceof BrokenLine)) throw error
      if (receivedBytes > before) failures = 0
      const delayMs = WAITS[failures]
      failures += 1
      if (delayMs === undefined || attempt >= MAX_ATTEMPTS) throw brokenError(error, receivedBytes, bytes)
      options.onRetry?.({ attempt: attempt + 1, delayMs, code: 'E_LLAMA_DOWNLOAD' })
      await clock.sleep(delayMs, signal)
    }
  }
}

/** What has the wrong hash is thrown away: going on from it could never become right. */
async function checkHash(part: string, sha256: string, { id }: Weights): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(part)) hash.update(chunk as Buffer)
  const found = hash.digest('hex')
  if (found === sha256) return
  await rm(part, { force: true })
  throw new HarnessError('E_LLAMA_HASH', {
    message: `The download of ${id} has another SHA-256 than it should: ${found}, not ${sha256}. It was thrown away.`,
    hint: 'Try again. If it stays so, the file at the address is another one.',
    details: { id, found, expected: sha256 },
  })
}

function brokenError(cause: BrokenLine, receivedBytes: number, bytes: number): HarnessError {
  return new HarnessError('E_LLAMA_DOWNLOAD', {
    message: `The weights did not come: ${cause.message}.`,
    hint: receivedBytes > 0 ? 'Try again: the download goes on where it is.' : 'Check the network, then try again.',
    details: { receivedBytes, bytes },
    cause,
  })
}

function folderError(folder: string, cause: unknown): HarnessError {
  return new HarnessError('E_LLAMA_FOLDER', {
    message: `The folder of weights cannot be used: ${cause instanceof Error ? cause.message : String(cause)}: ${folder}`,
    hint: 'Give another "folder", or make room there.',
    details: { folder },
    cause,
  })
}
