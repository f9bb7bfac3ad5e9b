import type { Manifest, Use } from '@harnesswright/core'
import type { HarnessReference, ReferenceMeasures } from '../../compose/reference.js'
import { formatCount, formatShare, formatUsd } from '../../rules/format.js'
import { shorten } from './catalog-text.js'

/** References that are shown, of however many there are. */
const MAX_REFERENCES = 5
/** Characters of each. */
const MAX_CHARS = 900

/** Harnesses of a bank with what they came to, for a prompt; '' without any. */
export function referencesText(references: readonly HarnessReference[], short: (use: string) => string): string {
  return references
    .slice(0, MAX_REFERENCES)
    .map((one, index) => shorten(referenceText(one, index + 1, short), MAX_CHARS))
    .join('\n\n')
}

function referenceText(
  { manifest, card, measured, why }: HarnessReference,
  number: number,
  short: (use: string) => string,
): string {
  const slots = (['memory', 'planning', 'capability', 'action'] as const).map(
    (slot) => `${slot}: ${slotText(manifest[slot], short)}`,
  )
  return [
    `${number}. ${shorten(oneLine(manifest.name), 80)} (${shorten(oneLine(why), 200)})`,
    `   ${measuresText(measured)}`,
    ...slots.map((line) => `   ${shorten(line, 200)}`),
    ...(card === undefined || card === null || card === '' ? [] : [`   ${shorten(oneLine(card), 200)}`]),
  ].join('\n')
}

/** What was measured, in words. */
export function measuresText(measured: ReferenceMeasures | null | undefined): string {
  const { reward, tokens, usd, ms, runs } = measured ?? {}
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
  const said = [
    isNumber(reward) ? `${formatShare(reward)} right` : '',
    isNumber(tokens) ? formatCount(Math.round(tokens), 'token') : '',
    isNumber(usd) ? `${formatUsd(usd)} USD` : '',
    isNumber(ms) ? `${(ms / 1000).toFixed(1)} s` : '',
    isNumber(runs) ? `over ${formatCount(runs, 'run')}` : '',
  ].filter((one) => one !== '')
  return said.length === 0 ? 'not measured' : `measured: ${said.join(', ')}`
}

function slotText(slot: Manifest['memory'], short: (use: string) => string): string {
  const uses = [slot ?? []].flat() as readonly Use[]
  const texts = uses.map(
    ({ use, with: options }) => `${short(use)}${options === undefined ? '' : ` ${JSON.stringify(options)}`}`,
  )
  return texts.length === 0 ? 'null' : texts.join(', then ')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
