/**
 * What the worker runs. It is text, so that it needs no file of its own beside the sources and the built package alike.
 *
 * It first says that it has begun, so that its start is not counted as time of the pattern.
 */
export const PATTERN_SOURCE = `
const { parentPort } = require('node:worker_threads')
parentPort.once('message', ({ source, flags, texts, maxMatches }) => {
  let pattern
  try {
    pattern = new RegExp(source, flags)
  } catch (error) {
    parentPort.postMessage({ fault: error.message })
    return
  }
  const matches = []
  for (let text = 0; text < texts.length && matches.length < maxMatches; text++) {
    const lines = texts[text].split('\\n')
    for (let line = 0; line < lines.length && matches.length < maxMatches; line++) {
      const found = pattern.exec(lines[line].replace(/\\r$/, ''))
      if (found !== null) matches.push({ text, line, column: found.index })
    }
  }
  parentPort.postMessage({ matches })
})
parentPort.postMessage({ ready: true })
`
