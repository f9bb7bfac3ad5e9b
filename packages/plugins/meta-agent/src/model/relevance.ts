import type { CatalogModule } from '@harnesswright/core'

/** How much of what a task speaks of a module speaks of: words of five letters or more, each once. */
export function relevanceTo(text: string): (module: CatalogModule) => number {
  const wanted = new Set(wordsOf(text))
  return ({ description }) => {
    const options = description.options['properties'] ?? {}
    const own = new Set(wordsOf(`${description.summary} ${JSON.stringify(options)}`))
    return [...own].filter((word) => wanted.has(word)).length
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{5,}/gu) ?? []
}
