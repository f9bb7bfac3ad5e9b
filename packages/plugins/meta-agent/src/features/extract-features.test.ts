import type { Json, ModelInfo, Task, TaskFile, Tool } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { extractFeatures } from './extract-features.js'
import type { TaskFeatures } from './task-features.js'

const model: ModelInfo = { id: 'm', contextWindow: 32_000, supports: {} }
const limits = { tokens: 1_000_000, steps: 40, usd: Number.POSITIVE_INFINITY }

function aTool(name: string, ...parameters: readonly string[]): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return { name, description: '', parameters: { type: 'object', properties }, execute: () => null }
}

const reader = aTool('read_file', 'path')

function featuresOf(instruction: string, task: Partial<Task> = {}, tools: readonly Tool[] = [reader]): TaskFeatures {
  return extractFeatures({ instruction, ...task }, { tools, model, limits })
}

function someFiles(count: number, file: Partial<TaskFile> = { bytes: 4_000 }): readonly TaskFile[] {
  return Array.from({ length: count }, (_, at) => ({ path: `data/p-${at}.txt`, ...file }))
}

test('listed files are sources, and their bytes give the volume', () => {
  const features = featuresOf('Sum up.', { files: [...someFiles(2), { path: 'a.txt', text: 'x'.repeat(400) }] })

  expect(features).toMatchObject({ files: 3, sources: 3, unsizedSources: 0, expectedObservationTokens: 2_100 })
  expect(features.windowShare).toBe(2_100 / 32_000)
})

test('a listed file without a size counts as large', () => {
  const features = featuresOf('Sum up.', { files: someFiles(1, {}) })

  expect(features).toMatchObject({ sources: 1, unsizedSources: 1, expectedObservationTokens: 6_000 })
})

test.each([
  ['Compare a.csv with b.csv.', 2],
  ['Compare "data/a.csv" and `b.csv` (see b.csv).', 2],
  ['Read https://example.com/x and https://example.com/y.', 2],
  ['Read part-01.txt to part-64.txt.', 64],
  ['Go through 64 log parts.', 64],
  ['The diary lies in twelve files.', 12],
  ['Read pages 3 to 12 of it.', 10],
  ['Read pages 3-12 of it.', 10],
  ['Add up everything in reports/*.csv.', 5],
  ['Add up everything in reports/ by hand.', 5],
  ['Read the report of 2024, and say and/or why.', 0],
  ['A piece costs 3.50, and 100 pieces 300.00, i.e. less.', 0],
])('%s names %i sources', (instruction, sources) => {
  expect(featuresOf(instruction).sources).toBe(sources)
})

test('a file that the task lists and the instruction names is one source', () => {
  const files = [{ path: 'lists/a.csv', bytes: 40 }]

  expect(featuresOf('Read lists/a.csv, that is a.csv, as every file of lists/*.csv.', { files }).sources).toBe(1)
})

test.each([
  ['Write the sum to total.json.', true],
  ['Work out the sum of a.csv and save it in total.json.', true],
  ['Create total.json.', true],
  ['Write the sum into a new spreadsheet.', true],
  ['Read a.csv and answer with the sum.', false],
  ['Write a poem about the sea.', false],
])('%s asks for a file: %s', (instruction, deliverable) => {
  expect(featuresOf(instruction).deliverable).toBe(deliverable)
})

test('a file to write is no source', () => {
  expect(featuresOf('Write the sum of a.csv and b.csv to total.json.').sources).toBe(2)
  expect(featuresOf('Create total.txt and add what stands in a.txt to it.').sources).toBe(1)
})

test('a named file that is not among the listed ones is the one to write, wherever the verb stands', () => {
  const files = [{ path: 'a.csv', bytes: 40 }]

  expect(featuresOf('total.json has one line. To total.json write the sum.', { files })).toMatchObject({
    sources: 1,
    deliverable: true,
  })
})

test.each([
  ['What is the capital of Norway?', 1],
  ['Find the height of Alba, Borm and Cersk.', 3],
  ['Find the height of Alba, Borm, and Cersk, and the age of Dravec and Elmau.', 5],
  ['Make 8 visits.', 8],
  ['Please find the height of these twelve tall towers.', 12],
  ['Could you compare the prices of the 6 suppliers?', 6],
  ['Do this:\n- wash the car\n- feed the cat\n- call Ann', 3],
  ['1. Wash the car\n2. Feed the cat', 2],
  ['Find the sum. Compare it with the last one. Write a note.', 3],
  ['Get the top 10 towers of Norway.', 1],
  ['She can make 20 candles an hour. How many in a day?', 1],
  ['Write 500 words about the sea.', 1],
  ['Answer as { "items": [Alba, Borm, Cersk, { "and": Dravec }] } does.', 1],
  ['Add up the lists (of Alba, Borm and Cersk).', 1],
  ['Find the 1024 reports of the year, all 2024 reports.', 1],
])('%s asks for %i things', (instruction, goals) => {
  expect(featuresOf(instruction).goals).toBe(goals)
})

test('a list in the inputs asks for as many things as it has items', () => {
  const inputs: Json = { towers: ['Alba', 'Borm', 'Cersk', 'Dravec'], unit: 'm' }

  expect(featuresOf('How high are they?', { inputs }).goals).toBe(4)
})

test.each([
  ['How high is Alba?', 1],
  ['Find the sum, then double it, then answer.', 3],
  ['Find the capital of the country of the author of the book.', 3],
  ['First open it, second read it, third close it, fourth answer.', 4],
  ['Make 8 visits; each visit tells whom to see next.', 8],
  ['What will happen in the next 30 days?', 1],
])('%s has a chain of %i', (instruction, depth) => {
  expect(featuresOf(instruction).dependencyDepth).toBe(depth)
})

test('where nothing is named and something can be read, each goal is of unknown size', () => {
  expect(featuresOf('Find the height of Alba, Borm and Cersk.')).toMatchObject({
    sources: 0,
    unsizedSources: 3,
    expectedObservationTokens: 18_000,
  })
})

test('without tools there is nothing to observe, and with tools that neither read nor search little', () => {
  expect(featuresOf('Add two and two.', {}, []).expectedObservationTokens).toBe(0)

  const features = featuresOf('Add two and two.', {}, [aTool('add', 'a', 'b')])
  expect(features.unsizedSources).toBe(0)
  expect(features.expectedObservationTokens).toBeLessThan(1_000)
})

test.each([
  [aTool('read_file', 'path'), [true, false, false]],
  [aTool('openPage', 'url'), [true, false, false]],
  [aTool('fs.write', 'path', 'content'), [false, true, false]],
  [aTool('web-search', 'query'), [false, false, true]],
  [aTool('read_calendar', 'day'), [false, false, false]],
  [aTool('write_memo', 'title'), [false, false, false]],
  [aTool('create_folder', 'path'), [false, false, false]],
  [aTool('search_contacts', 'name'), [false, false, false]],
])('a tool counts by its verb and its parameters: $name', (tool, [reads, writes, searches]) => {
  expect(featuresOf('Go.', {}, [tool])).toMatchObject({
    hasReadTool: reads,
    hasWriteTool: writes,
    hasSearchTool: searches,
  })
})

test('the share of an unknown window is unknown', () => {
  const features = extractFeatures({ instruction: 'Go.' }, { tools: [], model: { id: 'm', supports: {} }, limits })

  expect(features).toMatchObject({ contextWindow: null, windowShare: null })
})

test('the least that a run needs is one step a source, one to write and one to answer, each with its head', () => {
  const price = { input: 2, output: 8, source: 'a test', date: '2026-01-01' }
  const task = { instruction: 'Write the sum to total.json.', files: someFiles(3) }
  const features = extractFeatures(task, { tools: [reader], model: { ...model, price }, limits })

  expect(features.leastSteps).toBe(5)
  expect(features.leastTokens).toBeGreaterThan(3_000 + 5 * 500)
  expect(features.leastUsd).toBe((features.leastTokens * 2) / 1_000_000)
})

test('no limit on money is null, so that features are JSON', () => {
  const features = featuresOf('Go.')

  expect(features.budget).toEqual({ tokens: 1_000_000, steps: 40, usd: null })
  expect(JSON.parse(JSON.stringify(features))).toEqual(features)
})

test('a huge hostile text is read at once', () => {
  const texts = [',', '(', '{', '"', 'a.', '- ', '\n \t', '../', '9', 'Aa ', '* ', 'Find 9 ']

  for (const text of texts) expect(featuresOf(text.repeat(200_000)).goals).toBeGreaterThanOrEqual(1)
})
