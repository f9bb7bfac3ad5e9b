import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { type FetchOptions, fetchWeights, findWeights, lookForWeights, WEIGHTS, type Weights } from '../src/index.js'
import { aFolder } from './support/folder.js'
import { type Answer, breaksAfter, sends, type WeightsServer, withServer } from './support/weights-server.js'

const FILE = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7 + (index >> 8)) & 0xff))
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function someWeights(url: string, changed: Partial<Weights> = {}): Weights {
  return {
    id: 'some',
    description: 'some weights',
    fileName: 'some.gguf',
    url,
    bytes: FILE.length,
    sha256: sha256(FILE),
    verified: 'none',
    licence: 'Apache-2.0',
    licenceUrl: 'https://licence.test',
    ...changed,
  }
}

/** A clock on which waits between attempts pass at once, and silences never. */
function quickClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    now: () => 0,
    during: (work) => work,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (ms < 60_000) {
          waits.push(ms)
          return resolve()
        }
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
}

interface Fetching {
  readonly folder: string
  readonly weights?: Partial<Weights>
  readonly options?: Partial<FetchOptions>
}

function fetchFrom({ url, ca }: WeightsServer, { folder, weights, options }: Fetching): Promise<string> {
  return fetchWeights(someWeights(url, weights), { folder, ca, download: true, clock: quickClock(), ...options })
}

const coded = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message === undefined ? {} : { message: expect.stringMatching(message) }) })

describe('weights are fetched', () => {
  test('under their name only when all of them came and their hash was right', async () => {
    const folder = join(aFolder(), 'not', 'yet', 'there')
    const progress: number[] = []

    await withServer(sends(FILE), async (server) => {
      const onProgress: FetchOptions['onProgress'] = ({ receivedBytes, totalBytes }) => {
        expect(totalBytes).toBe(FILE.length)
        expect(readdirSync(folder)).toEqual(['some.gguf.part'])
        progress.push(receivedBytes)
      }
      const file = await fetchFrom(server, { folder, options: { onProgress } })

      expect(file).toBe(join(folder, 'some.gguf'))
      expect(readFileSync(file).equals(FILE)).toBe(true)
      expect(readdirSync(folder)).toEqual(['some.gguf'])
      expect(progress).toEqual([...progress].sort((a, b) => a - b))
      expect(progress.at(-1)).toBe(FILE.length)
    })
  })

  test('once: what is there is not asked for again, and needs no permission', async () => {
    const folder = aFolder()

    await withServer(sends(FILE), async (server) => {
      const file = await fetchFrom(server, { folder })
      expect(await fetchFrom(server, { folder, options: { download: false } })).toBe(file)
      expect(server.requests).toHaveLength(1)
    })
  })

  test('from where a broken line left them, also when it breaks again and again', async () => {
    const folder = aFolder()
    const clock = quickClock()
    const retries: number[] = []
    const answer: Answer = (request, response, index) =>
      (index < 3 ? breaksAfter(FILE, 50_000) : sends(FILE))(request, response, index)

    await withServer(answer, async (server) => {
      const onRetry: FetchOptions['onRetry'] = ({ attempt }) => retries.push(attempt)
      const file = await fetchFrom(server, { folder, options: { clock, onRetry } })

      expect(readFileSync(file).equals(FILE)).toBe(true)
      const from = server.requests.map(({ range }) => Number(range?.slice('bytes='.length, -1) ?? 0))
      expect(from).toHaveLength(4)
      expect(from[0]).toBe(0)
      for (const [index, byte] of from.entries()) expect(byte).toBeGreaterThan(from[index - 1] ?? -1)
      expect(retries).toEqual([2, 3, 4])
      expect(clock.waits).toEqual([1_000, 1_000, 1_000])
    })
  })

  test('from where an earlier call left them', async () => {
    const folder = aFolder()

    await withServer(breaksAfter(FILE, 0), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_DOWNLOAD'))
      expect(server.requests).toHaveLength(5)
    })
    writeFileSync(join(folder, 'some.gguf.part'), FILE.subarray(0, 120_000))
    expect(lookForWeights(someWeights(''), folder)).toMatchObject({ isThere: false, partBytes: 120_000 })
    await withServer(sends(FILE), async (server) => {
      expect(readFileSync(await fetchFrom(server, { folder })).equals(FILE)).toBe(true)
      expect(server.requests).toEqual([{ path: '/weights.gguf', range: 'bytes=120000-' }])
    })
  })

  test('anew from a server that knows no ranges, and when all of them came before but for the name', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'some.gguf.part'), FILE.subarray(0, 1_000))

    await withServer(sends(FILE, { ranges: false }), async (server) => {
      expect(readFileSync(await fetchFrom(server, { folder })).equals(FILE)).toBe(true)
    })
    const other = aFolder()
    writeFileSync(join(other, 'some.gguf.part'), FILE)
    await withServer(sends(FILE), async (server) => {
      expect(readFileSync(await fetchFrom(server, { folder: other })).equals(FILE)).toBe(true)
      expect(server.requests).toEqual([])
    })
  })

  test('by several at once into one folder, and all of them get the file', async () => {
    const folder = aFolder()

    await withServer(sends(FILE), async (server) => {
      const files = await Promise.all([1, 2, 3, 4].map(() => fetchFrom(server, { folder })))
      expect(new Set(files).size).toBe(1)
      expect(readFileSync(files[0] as string).equals(FILE)).toBe(true)
    })
  })

  test('from where https leads to', async () => {
    const folder = aFolder()
    const answer: Answer = (request, response, index) =>
      request.url === '/weights.gguf'
        ? response.writeHead(302, { location: '/elsewhere?signature=secret' }).end()
        : sends(FILE)(request, response, index)

    await withServer(answer, async (server) => {
      await fetchFrom(server, { folder })
      expect(server.requests.map(({ path }) => path)).toEqual(['/weights.gguf', '/elsewhere?signature=secret'])
    })
  })
})

describe('nothing is fetched', () => {
  test('without permission: the error says size and licence, and nothing is asked', async () => {
    await withServer(sends(FILE), async (server) => {
      const fetched = fetchFrom(server, { folder: aFolder(), options: { download: false } })
      const refusal = coded('E_LLAMA_PERMISSION', /1 MB from localhost:\d+, Apache-2\.0/)
      await expect(fetched).rejects.toEqual(refusal)
      expect(server.requests).toEqual([])
    })
  })

  test('before terms were accepted', async () => {
    await withServer(sends(FILE), async (server) => {
      const folder = aFolder()
      const weights = { terms: 'gemma', licence: 'Gemma Terms of Use' }
      await expect(fetchFrom(server, { folder, weights })).rejects.toEqual(coded('E_LLAMA_TERMS'))
      const other = { acceptedTerms: ['llama'] }
      await expect(fetchFrom(server, { folder, weights, options: other })).rejects.toEqual(coded('E_LLAMA_TERMS'))
      expect(server.requests).toEqual([])
      await fetchFrom(server, { folder, weights, options: { acceptedTerms: ['gemma'] } })
    })
  })

  test('without a hash, unless the host gives one', async () => {
    await withServer(sends(FILE), async (server) => {
      const folder = aFolder()
      const weights = { sha256: null }
      await expect(fetchFrom(server, { folder, weights })).rejects.toEqual(coded('E_LLAMA_HASH', /not known/))
      const wrong = { sha256: 'abc' }
      await expect(fetchFrom(server, { folder, weights, options: wrong })).rejects.toEqual(coded('E_LLAMA_HASH'))
      expect(server.requests).toEqual([])
      await fetchFrom(server, { folder, weights, options: { sha256: sha256(FILE).toUpperCase() } })
    })
  })

  test('over http, at the first address or where it leads', async () => {
    const folder = aFolder()
    const plain = { folder, download: true }
    await expect(fetchWeights(someWeights('http://localhost:9/w'), plain)).rejects.toEqual(
      coded('E_LLAMA_DOWNLOAD', /a http address/),
    )
    for (const location of ['http://localhost:9/w', 'file:///etc/passwd', 'ftp://x/y']) {
      await withServer(
        (_, response) => response.writeHead(302, { location }).end(),
        async (server) => {
          await expect(fetchFrom(server, { folder })).rejects.toEqual(
            coded('E_LLAMA_DOWNLOAD', /leads to a \w+ address/),
          )
          expect(server.requests).toHaveLength(1)
        },
      )
    }
    expect(readdirSync(folder).filter((name) => name === 'some.gguf')).toEqual([])
  })

  test('when addresses lead on without end', async () => {
    await withServer(
      (_, response) => response.writeHead(302, { location: '/again' }).end(),
      async (server) => {
        await expect(fetchFrom(server, { folder: aFolder() })).rejects.toEqual(
          coded('E_LLAMA_DOWNLOAD', /more than 5 times/),
        )
        expect(server.requests).toHaveLength(6)
      },
    )
  })

  test('from a server whose certificate is not trusted', async () => {
    await withServer(sends(FILE), async ({ url, requests }) => {
      const options = { folder: aFolder(), download: true, clock: quickClock() }
      await expect(fetchWeights(someWeights(url), options)).rejects.toEqual(
        coded('E_LLAMA_DOWNLOAD', /was not reached/),
      )
      expect(requests).toEqual([])
    })
  })

  test.each([404, 401, 403])('when the server answers %i: it is asked once', async (status) => {
    await withServer(
      (_, response) => response.writeHead(status).end(),
      async (server) => {
        await expect(fetchFrom(server, { folder: aFolder() })).rejects.toEqual(
          coded('E_LLAMA_DOWNLOAD', new RegExp(`answers ${status}`)),
        )
        expect(server.requests).toHaveLength(1)
      },
    )
  })

  test.each([503, 429])('when the server answers %i, and goes on doing so: it is asked five times', async (status) => {
    const clock = quickClock()
    await withServer(
      (_, response) => response.writeHead(status).end(),
      async (server) => {
        await expect(fetchFrom(server, { folder: aFolder(), options: { clock } })).rejects.toEqual(
          coded('E_LLAMA_DOWNLOAD'),
        )
        expect(server.requests).toHaveLength(5)
        expect(clock.waits).toEqual([1_000, 2_000, 4_000, 8_000])
      },
    )
  })
})

describe('what comes is no use', () => {
  test('with another hash: it is thrown away', async () => {
    const folder = aFolder()
    const other = Buffer.from(FILE)
    other[100_000] = 1

    await withServer(sends(other), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_HASH', /thrown away/))
      expect(readdirSync(folder)).toEqual([])
    })
  })

  test('when a file of another size is announced', async () => {
    const folder = aFolder()
    await withServer(sends(Buffer.concat([FILE, FILE])), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(
        coded('E_LLAMA_DOWNLOAD', /has 400000 bytes, not 200000/),
      )
    })
    await withServer(sends(FILE.subarray(0, 10)), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_DOWNLOAD', /has 10 bytes/))
    })
  })

  test('when more comes than was stated: not a byte beyond is written', async () => {
    const folder = aFolder()
    const endless: Answer = (_, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(FILE)) {
          // until the buffer is full
        }
      }
      response.on('drain', more)
      more()
    }

    await withServer(endless, async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(
        coded('E_LLAMA_DOWNLOAD', /more than the 200000 bytes/),
      )
      expect(lookForWeights(someWeights(''), folder).partBytes).toBeLessThanOrEqual(FILE.length)
      expect(existsSync(join(folder, 'some.gguf'))).toBe(false)
    })
  })

  test('when it is packed, or another part of the file', async () => {
    const packed: Answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    await withServer(packed, async (server) => {
      await expect(fetchFrom(server, { folder: aFolder() })).rejects.toEqual(
        coded('E_LLAMA_DOWNLOAD', /sends them as gzip/),
      )
    })
    const folder = aFolder()
    writeFileSync(join(folder, 'some.gguf.part'), FILE.subarray(0, 100))
    const shifted: Answer = (_, response) =>
      response.writeHead(206, { 'content-range': `bytes 50-199999/200000` }).end(FILE.subarray(100))
    await withServer(shifted, async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_DOWNLOAD', /another part/))
    })
  })
})

describe('a download ends', () => {
  test('with its signal, and keeps what has come', async () => {
    const folder = aFolder()
    const stop = new AbortController()
    const half: Answer = (_, response) => {
      response.writeHead(200, { 'content-length': FILE.length })
      response.write(FILE.subarray(0, 100_000)) // and then nothing
    }

    await withServer(half, async (server) => {
      const onProgress: FetchOptions['onProgress'] = ({ receivedBytes }) => {
        if (receivedBytes === 100_000) stop.abort(new Error('enough'))
      }
      const fetched = fetchFrom(server, { folder, options: { onProgress, signal: stop.signal } })
      await expect(fetched).rejects.toThrow('enough')
      expect(lookForWeights(someWeights(''), folder)).toMatchObject({ isThere: false, partBytes: 100_000 })
    })
    await withServer(sends(FILE), async (server) => {
      await fetchFrom(server, { folder })
      expect(server.requests.map(({ range }) => range)).toEqual(['bytes=100000-'])
    })
  })

  test('at once with a signal that is aborted already: nothing is asked', async () => {
    await withServer(sends(FILE), async (server) => {
      const signal = AbortSignal.abort(new Error('before'))
      await expect(fetchFrom(server, { folder: aFolder(), options: { signal } })).rejects.toThrow('before')
      expect(server.requests).toEqual([])
    })
  })

  test('K39 after a silence, which is a broken line like others', async () => {
    const clock: Clock = { ...quickClock(), sleep: () => Promise.resolve(), now: advancing(70_000) }
    await withServer(
      () => {}, // never answers
      async (server) => {
        await expect(fetchFrom(server, { folder: aFolder(), options: { clock } })).rejects.toEqual(
          coded('E_LLAMA_DOWNLOAD', /nothing came for 60000 ms/),
        )
      },
    )
  })

  test('when the folder is a file', async () => {
    const folder = join(aFolder(), 'file')
    writeFileSync(folder, '')
    await withServer(sends(FILE), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_FOLDER'))
      expect(server.requests).toEqual([])
    })
  })

  test('when there is no room for them', async () => {
    await withServer(sends(FILE), async (server) => {
      const weights = { bytes: Number.MAX_SAFE_INTEGER }
      await expect(fetchFrom(server, { folder: aFolder(), weights })).rejects.toEqual(
        coded('E_LLAMA_FOLDER', /room for/),
      )
      expect(server.requests).toEqual([])
    })
  })
})

/** A file of this computer to which nothing can be written, as on a disk that is full. */
const FULL = '/dev/full'

test.skipIf(!existsSync(FULL))(
  'a disk that is full in the middle of a download is an error, and leaves no weights',
  async () => {
    const folder = aFolder()
    symlinkSync(FULL, join(folder, 'some.gguf.part'))
    await withServer(sends(FILE), async (server) => {
      await expect(fetchFrom(server, { folder })).rejects.toEqual(coded('E_LLAMA_FOLDER', /no space|ENOSPC|room/i))
      expect(server.requests).toHaveLength(1)
      expect(lookForWeights(someWeights(server.url), folder).isThere).toBe(false)
    })
  },
)

/** A clock hand that moves on at each look. */
function advancing(ms: number): () => number {
  let now = 0
  return () => {
    now += ms
    return now
  }
}

describe('the table of weights', () => {
  test('has a hash, a size, a fixed https address and a licence for each name', () => {
    expect(WEIGHTS.map(({ id }) => id)).toEqual([
      'smollm2-135m-instruct',
      'smollm2-360m-instruct',
      'qwen3-0.6b',
      'gemma-3-270m-it',
      'gemma-3-270m',
    ])
    for (const { url, sha256: hash, bytes, licenceUrl, fileName } of WEIGHTS) {
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
      expect(bytes).toBeGreaterThan(90e6)
      expect(new URL(url).protocol).toBe('https:')
      expect(new URL(licenceUrl).protocol).toBe('https:')
      expect(fileName).toMatch(/^[\w.-]+\.gguf$/)
    }
    expect(new Set(WEIGHTS.map(({ fileName }) => fileName)).size).toBe(WEIGHTS.length)
  })

  test('wants the terms of Gemma accepted, and none of the others', () => {
    expect(WEIGHTS.filter(({ terms }) => terms !== undefined).map(({ id }) => id)).toEqual([
      'gemma-3-270m-it',
      'gemma-3-270m',
    ])
  })

  test('names the nearest for a name that there is not', () => {
    expect(() => findWeights('smollm-135m')).toThrow(
      expect.objectContaining({ code: 'E_LLAMA_WEIGHTS', hint: expect.stringContaining('smollm2-135m-instruct') }),
    )
  })

  test('does not take a folder or a file of another size for weights that are there', () => {
    const folder = aFolder()
    const weights = someWeights('')
    expect(lookForWeights(weights, folder)).toEqual({ file: join(folder, 'some.gguf'), isThere: false, partBytes: 0 })
    mkdirSync(join(folder, 'some.gguf'))
    expect(lookForWeights(weights, folder).isThere).toBe(false)
  })
})
