import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listJsonObjects, MAX_BYTES, parseManifest } from './parse.js'
import { scanObject } from './scan-json.js'

function problemOf(text: string) {
  const { manifest, problems } = parseManifest(text)
  expect(manifest).toBeUndefined()
  expect(problems).toHaveLength(1)
  return problems[0]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

describe('parseManifest', () => {
  test('reads JSON alone, with space and a byte order mark around it', () => {
    expect(parseManifest('\ufeff \n{"protocol":1,"a":[{},"x",-1.5e3,null]}\n').manifest).toEqual({
      protocol: 1,
      a: [{}, 'x', -1500, null],
    })
  })

  test.each([
    ['prose', 'I compose this:\n{"protocol":1}\nIt should do.'],
    ['a fence', '```json\n{"protocol":1}\n```'],
    ['prose with braces', 'Use {name} and {{question}} in a {"quoted" brace}, not {}: {"protocol":1} {'],
    ['prose with a quote', 'An "{" opens. {"protocol":1} "}" closes.'],
    ['an example before it', 'An option is {"use": "x"}. ```{"protocol":1}```'],
    ['a list', '[{"protocol":1}]'],
  ])('finds the one object in %s', (_, text) => {
    expect(parseManifest(text)).toEqual({ manifest: { protocol: 1 }, problems: [] })
  })

  test('does not choose among several manifests', () => {
    const problem = problemOf('Either {"protocol":1,"name":"a"} or {"protocol":1,"name":"b"}.')

    expect(problem).toMatchObject({ code: 'E_MANIFEST_JSON', pointer: '', found: '2 JSON objects' })
  })

  test('does not take a part of a broken manifest for the manifest', () => {
    const text = '{"protocol":1,"memory":{"use":"a#b","with":{"protocol":2}},"action":'

    expect(problemOf(text)).toMatchObject({ code: 'E_MANIFEST_JSON', pointer: '/action', found: 'the end of the text' })
  })

  test.each([
    ['', '""'],
    ['no json here', '"no json here"'],
    ['[1, 2]', '"[1, 2]"'],
    ['null', '"null"'],
  ])('says that "%s" holds no object', (text, found) => {
    expect(problemOf(text)).toMatchObject({ code: 'E_MANIFEST_JSON', pointer: '', found })
  })

  test.each([
    ['{"a":1,}', 'line 1, column 8', '/a', 'a key in double quotes'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3', '/a', '"," or "}"'],
    ['{"a":[1,2,,3]}', 'line 1, column 11', '/a/2', 'a value'],
    ['{"a":[1 2]}', 'line 1, column 9', '/a/0', '"," or "]"'],
    ['{"a":\n "x\ny"}', 'line 2, column 2', '/a', 'a value'],
    ['{"a":"\\q"}', 'line 1, column 6', '/a', 'a value'],
    ['{"a":01}', 'line 1, column 7', '/a', '"," or "}"'],
    ['{"a":NaN}', 'line 1, column 6', '/a', 'a value'],
    ["{'a':1}", 'line 1, column 2', '', 'a key in double quotes'],
    ['{"a" 1}', 'line 1, column 6', '/a', '":" after a key'],
    ['{"a":{"b":[{"c/d~":tru}]}}', 'line 1, column 20', '/a/b/0/c~1d~0', 'a value'],
    ['{"a":1', 'line 1, column 7', '/a', '"," or "}"'],
    ['{', 'line 1, column 2', '', 'a key in double quotes'],
  ])('says where %s breaks', (text, where, pointer, expected) => {
    const problem = problemOf(text)

    expect(problem).toMatchObject({ code: 'E_MANIFEST_JSON', pointer })
    expect(problem?.message).toContain(`At ${where}:`)
    expect(problem?.expected).toContain(expected)
  })

  test('says where the first of several braces in prose breaks', () => {
    expect(problemOf('I would use {this}\nor {that}.')?.message).toContain('At line 1, column 14:')
  })

  test('refuses each duplicate key once, with its pointer, however it is spelled', () => {
    const { manifest, problems } = parseManifest('{"a":{"x":1,"\\u0078":2,"x":3},"b":[{"k":1,"k":2}],"a":0}')

    expect(manifest).toBeUndefined()
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['E_MANIFEST_DUPLICATE_KEY', '/a/x'],
      ['E_MANIFEST_DUPLICATE_KEY', '/b/0/k'],
      ['E_MANIFEST_DUPLICATE_KEY', '/a'],
    ])
  })

  test.each(['__proto__', 'constructor', 'prototype', '__pr\\u006fto__'])('refuses the key %s anywhere', (key) => {
    const { manifest, problems } = parseManifest(
      `{"memory":{"use":"x","with":{"list":[{"${key}":{"polluted":true}}]}}}`,
    )

    expect(manifest).toBeUndefined()
    expect(problems).toMatchObject([
      { code: 'E_MANIFEST_FORBIDDEN_KEY', pointer: `/memory/with/list/0/${JSON.parse(`"${key}"`)}` },
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('takes 256 KB and refuses one byte more, counted in UTF-8', () => {
    const fill = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

    expect(parseManifest(fill(MAX_BYTES)).problems).toEqual([])
    expect(problemOf(fill(MAX_BYTES + 1))?.code).toBe('E_MANIFEST_SIZE')
    expect(problemOf(`{"a":"${'é'.repeat(MAX_BYTES / 2)}"}`)?.code).toBe('E_MANIFEST_SIZE')
  })

  test('takes 32 levels and refuses 33, of objects and lists alike', () => {
    expect(parseManifest(nested(32)).problems).toEqual([])
    expect(problemOf(nested(33))).toMatchObject({ code: 'E_MANIFEST_SIZE', expected: 'at most 32 levels' })
    expect(parseManifest(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`).problems).toEqual([])
    expect(problemOf(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`)?.code).toBe('E_MANIFEST_SIZE')
  })

  test.each([
    ['10 MB', `{"a":"${'x'.repeat(10_000_000)}"}`, 'E_MANIFEST_SIZE'],
    ['10,000 objects deep', nested(10_000), 'E_MANIFEST_SIZE'],
    ['10,000 lists deep', `{"metadata":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'E_MANIFEST_SIZE'],
    ['10,000 open objects', '{"a":'.repeat(10_000), 'E_MANIFEST_SIZE'],
    ['200,000 open braces', '{'.repeat(200_000), 'E_MANIFEST_JSON'],
    ['100,000 braces with quotes', '{"'.repeat(100_000), 'E_MANIFEST_JSON'],
    ['50,000 spaced braces', '{    '.repeat(50_000), 'E_MANIFEST_JSON'],
    ['a text of 250,000 without an end', `{"a":"${'x'.repeat(250_000)}`, 'E_MANIFEST_JSON'],
    ['120,000 escapes without an end', `{"a":"${'\\\\'.repeat(120_000)}`, 'E_MANIFEST_JSON'],
    ['120,000 escapes and a broken one', `{"a":"${'\\\\'.repeat(120_000)}\\x"}`, 'E_MANIFEST_JSON'],
    ['80,000 empty objects', '{} '.repeat(80_000), 'E_MANIFEST_JSON'],
    ['a number of 250,000 digits', `{"a":${'1'.repeat(250_000)}x}`, 'E_MANIFEST_JSON'],
  ])('refuses %s quickly', (_, text, code) => {
    const started = performance.now()

    expect(problemOf(text)?.code).toBe(code)
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('reads every JSON object that JSON.parse reads, to the same value', () => {
    const safe = fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      fc.jsonValue({ maxDepth: 4 }),
    )
    fc.assert(
      fc.property(safe, fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const { manifest, problems } = parseManifest(text)
        if (problems.every(({ code }) => code !== 'E_MANIFEST_FORBIDDEN_KEY'))
          expect(manifest).toEqual(JSON.parse(text))
      }),
    )
  })

  test('agrees with JSON.parse on what is JSON, for texts with one character changed', () => {
    const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })
    const unit = fc.constantFrom(...'{}[]",:\\ \n0-.eEtrux1')
    fc.assert(
      fc.property(object, fc.nat(), unit, (value, seed, replacement) => {
        const text = JSON.stringify(value)
        const at = 1 + (seed % (text.length - 1))
        const changed = text.slice(0, at) + replacement + text.slice(at + 1)
        const scanned = scanObject(changed, 0)
        const isWhole = 'end' in scanned && changed.slice(scanned.end).trim() === ''
        expect(isWhole).toBe(isJson(changed))
      }),
      { numRuns: 500 },
    )
  })

  test('never throws, whatever the text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('{', '}', '"', ':', '[', ']', ',', '\\', '{"protocol":1}', '{"a":', '\ud800'),
    )
    fc.assert(fc.property(fc.array(piece), (pieces) => void parseManifest(pieces.join(''))))
  })
})

test('all objects of a text are listed, whatever words and brackets stand around them', () => {
  expect(listJsonObjects('a { b {"x": {"y": 1}} } ```json\n{"z": [2]}\n``` {"open": ')).toEqual([
    { x: { y: 1 } },
    { z: [2] },
  ])
  expect(listJsonObjects('no object')).toEqual([])
})
