import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Claim, Goal, Reader } from '../reader.js'
import { longLogReader } from './long-log.js'
import { lookupChainReader } from './lookup-chain.js'
import { quotesReader } from './quotes.js'
import { wideSearchReader } from './wide-search.js'

/** What may stand around a sentence, wherever a model, a memory or a codec puts it. */
const SURROUNDINGS: readonly ((sentence: string) => string)[] = [
  (sentence) => sentence,
  (sentence) => `${sentence}\n`,
  (sentence) => `${sentence}\nNext comes another line.`,
  (sentence) => `Noted: ${sentence}. Then Halden and Borm met at 12 o'clock.`,
  (sentence) => `So far: ${sentence}; and 5 more. Log part 3`,
  (sentence) => `- ${sentence}\n- Something else, 4 of it`,
  (sentence) => `1. ${sentence} (open)\n2. look again (done, after 1)`,
  (sentence) => `He wrote "${sentence}" and '${sentence}'.`,
  (sentence) => `<context>${sentence}</context>`,
  (sentence) => `**${sentence}**, \`${sentence}\``,
  (sentence) => JSON.stringify({ text: `First.\n${sentence}\nThen "more".`, n: 1 }),
  (sentence) => JSON.stringify(JSON.stringify({ notes: [`\t${sentence}`, sentence] })),
  (sentence) => `${sentence[0]?.toUpperCase()}${sentence.slice(1)}. ${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`,
]

const around = fc.constantFrom(...SURROUNDINGS)
const number = fc.integer({ min: 1, max: 400 })
const name = fc.constantFrom('Halden', 'Borm', 'Cersk', 'Elmau', 'Istra', 'Andor')
const word = fc.stringMatching(/^[a-z]{2,9}$/)
const item = fc.tuple(word, word).map((words) => words.join(' '))
const path = fc
  .tuple(word, word, fc.constantFrom('csv', 'json', 'md', 'txt'))
  .map(([a, b, end]) => `${a}/${b}-1.${end}`)

const quoteClaim: fc.Arbitrary<Claim> = fc.oneof(
  fc.tuple(name, item, fc.integer({ min: 1, max: 99_999 })).map(([supplier, what, cents]) => ({
    key: `price:${supplier}:${what}`,
    value: String(cents),
  })),
  fc.tuple(number, number, item).map(([line, pieces, what]) => ({ key: `line:${line}`, value: `${pieces}|${what}` })),
  number.map((lines) => ({ key: 'lines', value: String(lines) })),
  fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).map((names) => ({ key: 'approved', value: names.join('|') })),
  name.map((supplier) => ({ key: `list:${supplier}`, value: 'read', isProgress: true })),
  path.map((file) => ({ key: 'written', value: file, isProgress: true })),
)

const quoteGoal: fc.Arbitrary<Goal> = fc.oneof(
  path.map((file) => ({ id: 'order', path: file })),
  fc.tuple(name, path).map(([supplier, file]) => ({ id: `list:${supplier}`, path: file })),
  path.map((file) => ({ id: 'write', path: file, isFinal: true })),
)

const logClaim: fc.Arbitrary<Claim> = fc.oneof(
  fc.tuple(number, word, number, number).map(([id, machine, which, minutes]) => ({
    key: `incident:I-${id}`,
    value: `${machine} ${which}|${minutes}`,
  })),
  fc.uniqueArray(number, { minLength: 1, maxLength: 12 }).map((parts) => ({
    key: `parts:${parts.join(', ')}`,
    value: 'read',
    isProgress: true,
  })),
)

const logGoal: fc.Arbitrary<Goal> = number.map((part) => ({
  id: `part:${part}`,
  path: `log2/part-${String(part).padStart(3, '0')}.txt`,
}))

const person = fc
  .tuple(fc.stringMatching(/^[A-Z][a-z]{1,7}$/), fc.stringMatching(/^[A-Z][a-z]{1,7}$/))
  .map((names) => names.join(' '))
const visited = fc.tuple(person, path).map((values) => values.join('|'))

const chainClaim: fc.Arbitrary<Claim> = fc.oneof(
  fc.tuple(number, visited).map(([visit, value]) => ({ key: `visit:${visit}`, value })),
  fc.tuple(person, visited).map(([before, value]) => ({ key: `after:${before}`, value })),
  fc.tuple(person, fc.integer({ min: 10_000, max: 99_999 })).map(([owner, badge]) => ({
    key: `badge:${owner}`,
    value: `B-${badge}`,
  })),
)

const chainGoal: fc.Arbitrary<Goal> = number.map((visit) => ({ id: `visit:${visit}` }))

const tower = fc.stringMatching(/^[A-Z][a-z]{1,9}$/)

const heightClaim: fc.Arbitrary<Claim> = fc.oneof(
  fc.tuple(tower, number).map(([which, metres]) => ({ key: `height:${which}`, value: String(metres) })),
  fc.tuple(tower, number, path).map(([which, sheet, file]) => ({ key: `source:${which}`, value: `${sheet}|${file}` })),
  fc.tuple(number, number).map(([sheet, metres]) => ({ key: `sheet:${sheet}`, value: String(metres) })),
)

const heightGoal: fc.Arbitrary<Goal> = tower.map((which) => ({ id: `height:${which}` }))

const FAMILIES: readonly {
  readonly reader: Reader
  readonly claim: fc.Arbitrary<Claim>
  readonly goal: fc.Arbitrary<Goal>
}[] = [
  { reader: quotesReader, claim: quoteClaim, goal: quoteGoal },
  { reader: longLogReader, claim: logClaim, goal: logGoal },
  { reader: lookupChainReader, claim: chainClaim, goal: chainGoal },
  { reader: wideSearchReader, claim: heightClaim, goal: heightGoal },
]

describe.each(FAMILIES)('the reader of $reader.name', ({ reader, claim, goal }) => {
  test('reads back every group of claims that it says, whatever stands around them', () => {
    const claims = fc.uniqueArray(claim, { minLength: 1, maxLength: 8, selector: ({ key }) => key })
    fc.assert(
      fc.property(claims, around, (said, surround) => {
        expect(known(reader.facts(surround(reader.say(said))))).toEqual(known(said))
      }),
      { numRuns: 400 },
    )
  })

  test('reads back every group of goals that it words, whatever stands around them', () => {
    const goals = fc.uniqueArray(goal, { minLength: 1, maxLength: 12, selector: ({ id }) => id })
    fc.assert(
      fc.property(goals, around, (worded, surround) => {
        const read = reader.mentions(surround(reader.word(worded))).flatMap((mention) => mention.goals)
        expect(new Map(read.map((one) => [one.id, one]))).toEqual(new Map(worded.map((one) => [one.id, one])))
      }),
      { numRuns: 400 },
    )
  })

  test('takes no claim for a goal and no goal for a claim', () => {
    fc.assert(
      fc.property(claim, goal, around, (said, worded, surround) => {
        expect(reader.mentions(surround(reader.say([said])))).toEqual([])
        expect(reader.facts(surround(reader.word([worded])))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('distorts a claim into one that it can say, and that is wrong', () => {
    fc.assert(
      fc.property(claim, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (said, share) => {
        const value = reader.distort(said, share)
        if (value === undefined) return
        expect(value).not.toBe(said.value)
        expect(known(reader.facts(reader.say([{ ...said, value }])))).toEqual(known([{ ...said, value }]))
      }),
    )
  })
})

/** Claims as what they mean: parts that are read count one by one. */
function known(claims: readonly Claim[]): ReadonlyMap<string, string> {
  return new Map(
    claims.flatMap(({ key, value }) =>
      key.startsWith('parts:') ? partsOf(key).map((part) => [`part ${part}`, value] as const) : [[key, value] as const],
    ),
  )
}

function partsOf(key: string): readonly number[] {
  return [...key.matchAll(/(\d+)(?: to (\d+))?/g)]
    .flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
    )
    .sort((one, other) => one - other)
}
