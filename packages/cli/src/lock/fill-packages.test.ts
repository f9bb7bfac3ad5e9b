import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillPackages } from './fill-packages.js'

const NAMES = ['@a/one', '@b/two', 'harnesswright-seed-three'] as const

const rangeOf = (use: string) => {
  const name = use.split('#')[0] ?? ''
  return (NAMES as readonly string[]).includes(name) ? { name, range: '^1.2.3' } : undefined
}

const use = fc.constantFrom(...NAMES).map((name) => ({ use: `${name}#it` }))
/** Values that a careless writer would write back otherwise. */
const odd = fc.oneof(
  fc.constantFrom(1.0, 1e21, 'a "quoted" \\ text', '}{,:', 'é\u2028', null, true, [], {}),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z"\\{}:, ]{1,6}$/), fc.string(), { maxKeys: 3 }),
)
const slot = fc.oneof(use, fc.array(use, { maxLength: 2 }), fc.constant(null))

/** A manifest with its fields in any order, some ranges there, and perhaps another one inside it. */
const manifest: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{ manifest: Record<string, unknown> }>((tie) => ({
  manifest: fc
    .record({
      protocol: fc.constant(1),
      name: fc.string(),
      packages: fc.option(
        fc.subarray([...NAMES, 'unused']).map((names) => ofRanges(names)),
        { nil: undefined },
      ),
      memory: slot,
      capability: slot,
      action: fc.oneof(
        { depthSize: 'small' },
        use,
        fc.tuple(use, tie('manifest')).map(([own, child]) => ({ ...own, with: { child: [child] } })),
      ),
      metadata: odd,
    })
    .chain((fields) => fc.shuffledSubarray(Object.entries(fields), { minLength: 7 }).map(Object.fromEntries)),
})).manifest

const ofRanges = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '>=1 <2']))

const indent = fc.constantFrom(undefined, 1, 2, 4, '\t')

/** What the manifest is to be: every range that was there, and one for what lacks it. */
function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const parts = Object.values(value).every(isFilled)
  if (!('protocol' in value)) return parts
  const { memory, capability, action, packages } = value as Record<string, unknown>
  const uses = [memory, capability, action].flat().flatMap((one) => (one as { use?: string } | null)?.use ?? [])
  return parts && uses.every((one) => Object.hasOwn(packages as object, one.split('#')[0] ?? ''))
}

const without = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'packages' ? undefined : inner)))

test('a text laid out by any common rule stays laid out by it, with a range for every package and all else as it was', () => {
  fc.assert(
    fc.property(manifest, indent, (before, by) => {
      const text = JSON.stringify(before, null, by)
      const filled = fillPackages(text, rangeOf)
      const after: unknown = JSON.parse(filled)

      expect(filled).toBe(JSON.stringify(after, null, by))
      expect(without(after)).toEqual(without(before))
      expect(isFilled(after)).toBe(true)
    }),
  )
})

test('nothing of a text is taken away or changed, however it is laid out, and what is filled stays as it is', () => {
  const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\r\n  ', '\t'), { minLength: 40, maxLength: 40 })
  fc.assert(
    fc.property(manifest, spaces, (before, gaps) => {
      const text = scatter(JSON.stringify(before), gaps)
      const filled = fillPackages(text, rangeOf)

      expect(isSubsequence(text, filled)).toBe(true)
      expect(without(JSON.parse(filled))).toEqual(without(before))
      expect(fillPackages(filled, rangeOf)).toBe(filled)
    }),
  )
})

/** White space around the tokens of a text without any; what is empty stays so. */
function scatter(text: string, gaps: readonly string[]): string {
  let at = 0
  const gap = (): string => gaps[at++ % gaps.length] ?? ''
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\]:,]/g, (token) => `${gap()}${token}${gap()}`)
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0
  for (let index = 0; index < long.length; index++) if (long[index] === short[at]) at++
  return at === short.length
}

test.each([
  [
    '{\n  "protocol": 1,\n  "action": { "use": "@a/one#it" }\n}\n',
    '{\n  "protocol": 1,\n  "packages": {\n    "@a/one": "^1.2.3"\n  },\n  "action": { "use": "@a/one#it" }\n}\n',
  ],
  [
    '{"protocol": 1, "action": {"use": "@a/one#it"}}',
    '{"protocol": 1, "packages": {"@a/one": "^1.2.3"}, "action": {"use": "@a/one#it"}}',
  ],
  [
    '{ "packages": {}, "action": { "use": "@a/one#it" } }',
    '{ "packages": { "@a/one": "^1.2.3" }, "action": { "use": "@a/one#it" } }',
  ],
  [
    '{\r\n\t"packages": {\r\n\t\t"@b/two": "1"\r\n\t},\r\n\t"action": { "use": "@a/one#it" }\r\n}',
    '{\r\n\t"packages": {\r\n\t\t"@a/one": "^1.2.3",\r\n\t\t"@b/two": "1"\r\n\t},\r\n\t"action": { "use": "@a/one#it" }\r\n}',
  ],
])('%j gets its ranges where they belong', (text, expected) => {
  expect(fillPackages(text, rangeOf)).toBe(expected)
})

test('what a change of the harness itself names has its range in the manifest around it', () => {
  const change = { extends: 'self', planning: { use: '@b/two#it' } }
  const text = JSON.stringify({ protocol: 1, packages: {}, action: { use: '@a/one#it', with: { child: change } } })

  expect(JSON.parse(fillPackages(text, rangeOf))).toMatchObject({
    packages: { '@a/one': '^1.2.3', '@b/two': '^1.2.3' },
  })
})
