import type { Tool } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { toolsWithAnyWord } from './any-word.js'

const tool = (name: string, description: string): Tool => ({ name, description, parameters: {}, execute: () => '' })
const tools = [tool('read_file', 'Reads one.'), tool('send', 'Sends a letter.'), tool('Weather', 'Of a town.')]

test.each([
  ['file letters', ['read_file']],
  ['LETTER', ['send']],
  ['weather', ['Weather']],
  ['a zebra', ['read_file', 'send', 'Weather']],
  ['zebra', ['read_file', 'send', 'Weather']],
  ['?!', ['read_file', 'send', 'Weather']],
])('of the query %j the tools are %j', (query, names) => {
  expect(toolsWithAnyWord(tools, query).map(({ name }) => name)).toEqual(names)
})
