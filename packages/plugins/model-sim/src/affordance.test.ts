import type { Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { affordanceOf, argumentsFor, intentOf, subjectOf, verbOf } from './affordance.js'

function aTool(name: string, ...parameters: readonly string[]): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return { name, description: '', parameters: { type: 'object', properties }, execute: () => '' }
}

test.each([
  ['read_file', 'read'],
  ['openPage', 'read'],
  ['workspace.write', 'write'],
  ['grep', 'search'],
  ['list-files', 'list'],
  ['calculator', undefined],
  ['already', undefined],
])('the verb in %s is %s', (name, verb) => {
  expect(verbOf(name)).toBe(verb)
})

describe('what a tool is for', () => {
  test('takes verb and parameters: a reader of days is no reader of files', () => {
    expect(affordanceOf(aTool('read_file', 'path', 'offset'))).toEqual({ verb: 'read', parameters: { path: 'path' } })
    expect(affordanceOf(aTool('read_calendar', 'day'))).toBeUndefined()
    expect(affordanceOf(aTool('write_memo', 'title', 'content'))).toBeUndefined()
  })

  test('an intent goes into the names that the tool uses, and comes back from them', () => {
    const intents = [
      { verb: 'read', path: 'a.txt' },
      { verb: 'write', path: 'a.txt', content: 'b' },
      { verb: 'search', query: 'c' },
      { verb: 'list', path: 'lists' },
    ] as const
    const tools = [
      aTool('view', 'file'),
      aTool('save_text', 'filename', 'text'),
      aTool('find', 'q'),
      aTool('ls', 'path'),
    ]
    for (const [index, intent] of intents.entries()) {
      const affordance = affordanceOf(tools[index] as Tool)
      if (affordance === undefined) throw new Error(`no affordance: ${index}`)
      expect(intentOf(argumentsFor(intent, affordance), affordance)).toEqual(intent)
    }
  })

  test('calls about one file are alike whatever they write', () => {
    expect(subjectOf({ verb: 'write', path: 'a', content: '1' })).toBe(
      subjectOf({ verb: 'write', path: 'a', content: '2' }),
    )
    expect(subjectOf({ verb: 'write', path: 'a', content: '1' })).not.toBe(subjectOf({ verb: 'read', path: 'a' }))
  })
})
