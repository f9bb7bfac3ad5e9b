import type { Io } from '../io.js'

// Shorter values are placeholders, and hiding them would mangle what is no secret.
const SHORTEST = 8

/** Values of the environment that are never printed, stored or shown to a model: those of variables named `…_API_KEY`. */
export function secretsOf(env: Io['env']): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (name.endsWith('_API_KEY') ? [value ?? ''] : []))
  return [...new Set(values)].filter((value) => value.length >= SHORTEST)
}

/** A text without the secrets. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, '[secret]'), text)
}

/** Streams through which no secret of the environment comes. */
export function withHiddenSecrets(io: Io): Io {
  const secrets = secretsOf(io.env)
  if (secrets.length === 0) return io
  const hide = (sink: Io['stdout']): Io['stdout'] => ({
    write: (text) => sink.write(hideSecrets(text, secrets)),
    get columns() {
      return sink.columns
    },
  })
  return { ...io, stdout: hide(io.stdout), stderr: hide(io.stderr) }
}
