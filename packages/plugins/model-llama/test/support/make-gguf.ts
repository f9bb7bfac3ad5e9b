import { writeFileSync } from 'node:fs'

/** What a made model is like. All weights are random: what it says is noise, but the real binding runs it. */
export interface MadeModel {
  readonly seed?: number
  /** Size of its context in tokens. Default 4,096. */
  readonly contextTokens?: number
  /** Its chat template, in Jinja. */
  readonly template?: string
  /** Marks of a chat template, which are tokens of their own. */
  readonly marks?: readonly string[]
  /** The mark that ends a turn. Default: the end token. */
  readonly endMark?: string
}

const TEMPLATE =
  "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + eos_token }}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"

const [U32, I32, F32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9] as const
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6] as const
const [EMBEDDING, LAYERS, HEADS, FEED_FORWARD] = [64, 2, 4, 128] as const
const ALIGNMENT = 32

interface Token {
  readonly text: string
  readonly type: number
}

/** Writes a model file of half a megabyte: two layers, a vocabulary of bytes, letters and a few words. */
export function makeGguf(file: string, made: MadeModel = {}): void {
  const tokens = vocabulary(made.marks ?? [])
  const tensors = tensorsOf(tokens.length, gaussian(made.seed ?? 1))
  const fields = fieldsOf(made, tokens)
  const infos: Buffer[] = []
  let offset = 0
  for (const { name, dims, data } of tensors) {
    infos.push(Buffer.concat([string(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset)]))
    offset = aligned(offset + data.byteLength)
  }
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(fields.length), ...fields, ...infos]
  const data = tensors.map((tensor) => Buffer.from(tensor.data.buffer))
  writeFileSync(file, Buffer.concat([padded(Buffer.concat(head)), ...data.map(padded)]))
}

function vocabulary(marks: readonly string[]): readonly Token[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
  const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  const words = ['\u2581the', '\u2581a', 'th', 'he', 'in', 'er', 'an', 're', '\u2581north', '\u2581take', '\u2581key']
  return [
    { text: '<unk>', type: UNKNOWN },
    { text: '<s>', type: CONTROL },
    { text: '</s>', type: CONTROL },
    ...bytes.map((text) => ({ text, type: BYTE })),
    ...['\u2581', ...letters, ...words].map((text) => ({ text, type: NORMAL })),
    ...marks.map((text) => ({ text, type: CONTROL })),
  ]
}

function fieldsOf({ contextTokens = 4_096, template = TEMPLATE, endMark }: MadeModel, tokens: readonly Token[]) {
  const end = endMark === undefined ? 2 : tokens.findIndex(({ text }) => text === endMark)
  const field = (name: string, kind: number, value: Buffer): Buffer => Buffer.concat([string(name), u32(kind), value])
  const list = (name: string, kind: number, items: readonly Buffer[]): Buffer =>
    field(name, ARRAY, Buffer.concat([u32(kind), u64(items.length), ...items]))
  return [
    field('general.architecture', STRING, string('llama')),
    field('general.name', STRING, string('tiny-random')),
    field('llama.embedding_length', U32, u32(EMBEDDING)),
    field('llama.block_count', U32, u32(LAYERS)),
    field('llama.feed_forward_length', U32, u32(FEED_FORWARD)),
    field('llama.attention.head_count', U32, u32(HEADS)),
    field('llama.attention.head_count_kv', U32, u32(HEADS)),
    field('llama.attention.layer_norm_rms_epsilon', F32, f32(1e-5)),
    field('llama.rope.dimension_count', U32, u32(EMBEDDING / HEADS)),
    field('llama.vocab_size', U32, u32(tokens.length)),
    field('tokenizer.ggml.model', STRING, string('llama')),
    list(
      'tokenizer.ggml.tokens',
      STRING,
      tokens.map(({ text }) => string(text)),
    ),
    list(
      'tokenizer.ggml.scores',
      F32,
      tokens.map((_, index) => f32(-index)),
    ),
    list(
      'tokenizer.ggml.token_type',
      I32,
      tokens.map(({ type }) => u32(type)),
    ),
    field('tokenizer.ggml.bos_token_id', U32, u32(1)),
    field('tokenizer.ggml.eos_token_id', U32, u32(end)),
    field('tokenizer.ggml.unknown_token_id', U32, u32(0)),
    field('tokenizer.ggml.add_bos_token', BOOL, Buffer.from([1])),
    field('tokenizer.ggml.add_space_prefix', BOOL, Buffer.from([0])),
    field('tokenizer.chat_template', STRING, string(template)),
    field('llama.context_length', U32, u32(contextTokens)),
  ]
}

interface Tensor {
  readonly name: string
  readonly dims: readonly number[]
  readonly data: Float32Array
}

function tensorsOf(words: number, draw: () => number): readonly Tensor[] {
  const matrix = (name: string, from: number, to: number): Tensor => ({
    name: `${name}.weight`,
    dims: [from, to],
    data: Float32Array.from({ length: from * to }, () => draw() / Math.sqrt(from)),
  })
  const ones = (name: string): Tensor => ({
    name: `${name}.weight`,
    dims: [EMBEDDING],
    data: new Float32Array(EMBEDDING).fill(1),
  })
  const layers = Array.from({ length: LAYERS }, (_, layer) => [
    ones(`blk.${layer}.attn_norm`),
    ...['q', 'k', 'v', 'output'].map((part) => matrix(`blk.${layer}.attn_${part}`, EMBEDDING, EMBEDDING)),
    ones(`blk.${layer}.ffn_norm`),
    matrix(`blk.${layer}.ffn_gate`, EMBEDDING, FEED_FORWARD),
    matrix(`blk.${layer}.ffn_up`, EMBEDDING, FEED_FORWARD),
    matrix(`blk.${layer}.ffn_down`, FEED_FORWARD, EMBEDDING),
  ])
  return [
    matrix('token_embd', EMBEDDING, words),
    ...layers.flat(),
    ones('output_norm'),
    matrix('output', EMBEDDING, words),
  ]
}

/** Numbers of a normal distribution, the same for the same seed. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([u64(bytes.length), bytes])
}
