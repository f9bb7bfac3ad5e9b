/** Takes secrets out of texts. Texts of fewer than four characters are no secrets: they would be found everywhere. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const found = [...new Set(secrets)].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length)
  return (text) => found.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}
