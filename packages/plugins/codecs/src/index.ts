import type { Codec } from '@harnesswright/core'
import { jsonForm } from './json/json-form.js'
import { markerForm } from './marker/marker-form.js'
import { createTextCodec } from './text-codec.js'

/** Each reply is one JSON object: calls in `tools` or under the names of tools, or the answer in `final_answer`. */
export const jsonCodec: Codec = createTextCodec(jsonForm)

/** Replies are words with each call in a tag, `<tool_call>` or one named like the tool, and the answer in `<final_answer>`. */
export const markerCodec: Codec = createTextCodec(markerForm)

/** Both, for `createEnvironment({ codecs })`. */
export const codecs: readonly Codec[] = Object.freeze([jsonCodec, markerCodec])
