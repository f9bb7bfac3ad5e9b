import type { Io } from '../io.js'

// Shorter values are placeholders, and hiding them would mangle what is no secret.
const SHORTEST = 8

/**
 * Values of the environment that are never printed, stored or shown to a model: those of variables named `…_API_KEY`, and a
 * password in the address of an endpoint.
 *
 * @param names - Further variables that hold keys. Default: none.
 */
export function secretsOf(env: Io['env'], names: readonly string[] = []): readonly string[] {
  const keys = Object.entries(env).flatMap(([name, value]) =>
    name.endsWith('_API_KEY') || names.includes(name) ? [value?.trim() ?? ''] : [],
  )
  const values = [...keys, ...passwordsOf(env['OPENAI_BASE_URL'])]
  return [...new Set(values)].filter((value) => value.length >= SHORTEST)
}

/** The password of an address, as it stands there and as it is meant. */
function passwordsOf(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return []
  const { password } = new URL(address)
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

/** A text without the secrets. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text)
}

/** A value of JSON with no secret in any of its texts. */
export function hideSecretsIn<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value
  const hide = (_name: string, one: unknown): unknown => (typeof one === 'string' ? hideSecrets(one, secrets) : one)
  return JSON.parse(JSON.stringify(value), hide) as Value
}

/** Streams through which no secret comes. */
export function withHiddenSecrets(io: Io, secrets: readonly string[]): Io {
  if (secrets.length === 0) return io
  const hide = (sink: Io['stdout']): Io['stdout'] => ({
    write: (text) => sink.write(hideSecrets(text, secrets)),
    get columns() {
      return sink.columns
    },
  })
  return { ...io, stdout: hide(io.stdout), stderr: hide(io.stderr) }
}
