import { HarnessError, nearestNames } from '@harnesswright/core'
import type { OpenAiModelOptions } from './options.js'
import type { Preset } from './preset.js'
import { PRESETS } from './presets.js'

const HEADER_HINT = 'Headers hold printable Latin-1 characters in one line, and their names letters, digits and dashes.'
const POSITIVE = ['idleMs', 'connectMs', 'firstByteMs', 'contextWindow', 'maxOutputTokens'] as const

/**
 * The preset of a model with what the options change of it.
 *
 * @throws HarnessError `E_OPENAI_OPTIONS` that names the option.
 */
export function checkOptions(options: OpenAiModelOptions): Preset & { readonly baseUrl: string } {
  if (typeof options.model !== 'string' || options.model === '') throw refused('"model" names no model.', 'Name one.')
  for (const name of POSITIVE) checkPositive(name, options[name])
  checkPositive('limits.requestsPerMinute', options.limits?.requestsPerMinute)
  checkPositive('limits.tokensPerMinute', options.limits?.tokensPerMinute)
  checkHeaders(options)
  const preset = presetOf(options)
  const baseUrl = options.baseUrl ?? preset.baseUrl
  if (baseUrl === undefined || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw refused(
      baseUrl === undefined ? `The preset "${preset.name}" has no address.` : '"baseUrl" is no http or https address.',
      'Give "baseUrl", the address up to and without /chat/completions.',
    )
  return { ...preset, baseUrl }
}

function presetOf({ preset, baseUrl, dialect, tools, streamUsage }: OpenAiModelOptions): Preset {
  const name = preset ?? (baseUrl === undefined ? 'openai' : 'compatible')
  if (!Object.hasOwn(PRESETS, name)) {
    const nearest = nearestNames(name, Object.keys(PRESETS), 3).join(', ')
    throw refused(`There is no preset ${JSON.stringify(name)}.`, `Use one of: ${nearest}, …`)
  }
  return {
    ...PRESETS[name],
    ...dialect,
    ...(tools === undefined ? {} : { tools }),
    ...(streamUsage === undefined ? {} : { streamUsage }),
  }
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value > 0 && Number.isFinite(value))) return
  throw refused(`"${name}" is ${String(value)}: a number above 0 was expected.`, 'Give a number, or leave it out.')
}

/** What cannot be sent is told by name: a value may be a key. */
function checkHeaders({ headers = {}, apiKey }: OpenAiModelOptions): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!canBeSent(name, value))
      throw refused(`"headers" has ${JSON.stringify(name)}, which cannot be sent.`, HEADER_HINT)
  }
  if (apiKey !== undefined && !canBeSent('authorization', apiKey))
    throw refused('"apiKey" holds characters that cannot be sent.', HEADER_HINT)
}

function canBeSent(name: string, value: string): boolean {
  try {
    new Headers().set(name, value)
    return true
  } catch {
    return false
  }
}

function refused(message: string, hint: string): HarnessError {
  return new HarnessError('E_OPENAI_OPTIONS', { message, hint })
}
