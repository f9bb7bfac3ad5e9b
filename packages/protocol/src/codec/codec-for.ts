import { HarnessError } from '../errors/error.js'
import type { Codec, CodecName, ModelInfo } from '../types/index.js'
import { nativeCodec } from './native.js'

/**
 * The codec of a request: the one that the manifest names, else `native` for a model with tool calls and `json` for others.
 *
 * @throws HarnessError `E_PROTOCOL_MODEL` when that one is not registered.
 */
export function codecFor({ id, supports }: ModelInfo, codecs: readonly Codec[], named: CodecName = 'auto'): Codec {
  const name = named === 'auto' ? (supports.tools === true ? 'native' : 'json') : named
  const found = [nativeCodec, ...codecs].find((codec) => codec.name === name)
  if (found !== undefined) return found
  throw new HarnessError('E_PROTOCOL_MODEL', {
    message: `The codec "${name}", which requests to ${id} need, is not among the codecs of the environment.`,
    hint: 'Install @harnesswright/plugin-codecs and give its `codecs` to createEnvironment.',
  })
}
