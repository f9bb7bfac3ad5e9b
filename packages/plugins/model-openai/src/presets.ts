import type { Preset } from './preset.js'

/** For an endpoint of which nothing is known but that it speaks the Chat Completions interface. */
const compatible: Preset = { name: 'compatible', verified: 'none' }

const openai: Preset = {
  name: 'openai',
  verified: 'none',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  structured: { form: 'json_schema', strict: true },
  echo: 'none',
  maxTokensField: 'max_completion_tokens',
  parallelToolCalls: true,
  cacheKey: true,
}

const deepseek: Preset = {
  name: 'deepseek',
  verified: 'none',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK_API_KEY',
  thinks: true,
  structured: { form: 'json_object', withTools: false },
  echo: 'all',
  needsReasoning: true,
  seed: false,
}

const qwen: Preset = {
  name: 'qwen',
  verified: 'none',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  keyVariable: 'DASHSCOPE_API_KEY',
  thinks: true,
  structured: { form: 'json_object', withTools: false },
  emptyContent: 'text',
  parallelToolCalls: true,
}

const glm: Preset = {
  name: 'glm',
  verified: 'none',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  keyVariable: 'ZAI_API_KEY',
  thinks: true,
  structured: { form: 'json_object', withTools: false },
  streamUsage: false, // its last chunk has the usage without being asked
  toolChoice: 'auto',
  seed: false,
}

const mimo: Preset = {
  name: 'mimo',
  verified: 'none',
  baseUrl: 'https://api.xiaomimimo.com/v1',
  keyVariable: 'MIMO_API_KEY',
  thinks: true,
  structured: { form: 'json_object', withTools: false },
  echo: 'all',
  needsReasoning: true,
  maxTokensField: 'max_completion_tokens',
  toolChoice: 'auto',
  seed: false,
}

const ollama: Preset = {
  name: 'ollama',
  verified: 'none',
  baseUrl: 'http://127.0.0.1:11434/v1',
  local: true,
  structured: { form: 'json_schema', withTools: false },
  reasoningField: 'reasoning',
  emptyContent: 'text',
  toolChoice: 'auto',
  textCalls: true,
}

const vllm: Preset = {
  name: 'vllm',
  verified: 'none',
  baseUrl: 'http://127.0.0.1:8000/v1',
  local: true,
  structured: { form: 'json_schema', withTools: false },
  parallelToolCalls: true,
  textCalls: true,
  scoring: 'vllm',
}

const sglang: Preset = {
  name: 'sglang',
  verified: 'none',
  baseUrl: 'http://127.0.0.1:30000/v1',
  local: true,
  structured: { form: 'json_schema', withTools: false },
  parallelToolCalls: true,
  textCalls: true,
  scoring: 'sglang',
}

const llamaCpp: Preset = {
  name: 'llama.cpp',
  verified: 'none',
  baseUrl: 'http://127.0.0.1:8080/v1',
  local: true,
  structured: { form: 'json_schema', withTools: false },
  parallelToolCalls: true,
  textCalls: true,
}

const lmStudio: Preset = {
  name: 'lm-studio',
  verified: 'none',
  baseUrl: 'http://127.0.0.1:1234/v1',
  local: true,
  structured: { form: 'json_schema', withTools: false },
  emptyContent: 'text',
  textCalls: true,
}

const sim: Preset = {
  name: 'sim',
  verified: 'none',
  local: true,
  parallelToolCalls: true,
  cacheKey: true,
  purpose: true,
  idempotencyKey: true,
  simulated: true,
}

/**
 * Every preset by name. None has been checked against its endpoint yet, as `verified` says: they are what the makers
 * document, and a field that is wrong for a version is overridden with the option `dialect`. No preset has a price: prices are given with source and date.
 */
export const PRESETS = Object.freeze({
  compatible,
  openai,
  deepseek,
  qwen,
  glm,
  mimo,
  ollama,
  vllm,
  sglang,
  'llama.cpp': llamaCpp,
  'lm-studio': lmStudio,
  sim,
}) satisfies Readonly<Record<string, Preset>>

/** The name of a preset. */
export type PresetName = keyof typeof PRESETS
