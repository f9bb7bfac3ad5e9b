import type { Slot } from '@harnesswright/core'
import type { OfferedModule, OfferedOption } from '@harnesswright/plugin-manifest'

const SLOTS: readonly Slot[] = ['memory', 'planning', 'capability', 'action', 'plugin']

/** How much is said of each module: the first that fits is taken. */
const LEVELS: readonly ((module: OfferedModule) => string)[] = [
  (module) => describe(module, 400, 300),
  (module) => describe(module, 200, 80),
  (module) => describe(module, 120, 0),
  ({ use, summary }) => `### ${use}\n${shorten(summary, 80)}`,
]

/** The modules by slot, in words: as much of each as fits into so many characters. */
export function catalogText(modules: readonly OfferedModule[], mostChars: number): string {
  const texts = LEVELS.map((level) => slotsText(modules, level))
  return texts.find((text) => text.length <= mostChars) ?? shorten(texts.at(-1) as string, mostChars)
}

function slotsText(modules: readonly OfferedModule[], level: (module: OfferedModule) => string): string {
  return SLOTS.flatMap((slot) => {
    const own = modules.filter((module) => module.slot === slot)
    return own.length === 0 ? [] : [[`## ${slot}`, ...own.map(level)].join('\n\n')]
  }).join('\n\n')
}

function describe(module: OfferedModule, summaryChars: number, optionChars: number): string {
  const { use, summary, requires, provides, options } = module
  const labels = [
    ...(requires.length === 0 ? [] : [`Needs a module that provides ${requires.join(', ')}.`]),
    ...(provides.length === 0 ? [] : [`Provides ${provides.join(', ')}.`]),
  ]
  return [
    `### ${use}`,
    [shorten(summary, summaryChars), ...labels].join(' '),
    ...options.map((one) => optionLine(one, optionChars)),
  ].join('\n')
}

function optionLine({ name, choices, default: first, description }: OfferedOption, mostChars: number): string {
  const byDefault = first === undefined ? '' : ` (default ${shorten(JSON.stringify(first), 60)})`
  return `- ${name}: ${shorten(choices, 200)}${byDefault}${mostChars === 0 || description === '' ? '' : `. ${shorten(description, mostChars)}`}`
}

/** A text of at most so many characters, with an ellipsis where it was cut. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, Math.max(0, most - 1))
  return `${(cut as string & { toWellFormed(): string }).toWellFormed()}…`
}
