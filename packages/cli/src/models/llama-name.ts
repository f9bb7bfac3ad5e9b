import { resolve } from 'node:path'

/** What stands before the name of a model in this process. */
export const LLAMA_PREFIX = 'llama:'

/** Whether a name is one of a model in this process. */
export function isLlamaName(name: string): boolean {
  return name === 'llama' || name.startsWith(LLAMA_PREFIX)
}

/** Whether it names a file: a name of weights has neither an ending nor folders. */
export function isLlamaPath(named: string): boolean {
  return /\.gguf$|[/\\]/i.test(named)
}

/** The id of a model in this process: with the whole path, so that a run can be resumed from another directory. */
export function llamaId(name: string, cwd: string): string {
  const named = name.slice(LLAMA_PREFIX.length)
  return isLlamaPath(named) ? `${LLAMA_PREFIX}${resolve(cwd, named)}` : name
}
