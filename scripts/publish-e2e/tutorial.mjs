// A tutorial as its reader takes it: files to write and commands to type, in the order of its text.

const BLOCK = /(?:^`([^`\n]+)`:\n\n(?:<!-- snippet:[^\n]*-->\n\n)?)?^```(\w*)\n([\s\S]*?)^```$/gm

/**
 * The acts that a text asks for: `{ file, text }` for a block below a line that is the name of a file, `{ command }` for each line of
 * a block of commands. All other blocks are to be read.
 */
export function actsOf(markdown) {
  return [...markdown.matchAll(BLOCK)].flatMap(([, file, language, body]) => {
    if (file !== undefined) return [{ file, text: body }]
    if (language !== 'sh') return []
    return body
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((command) => ({ command }))
  })
}
