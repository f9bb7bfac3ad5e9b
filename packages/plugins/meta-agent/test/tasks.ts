import type { Task } from '@harnesswright/core'

/** What the things of the two usual tasks are called. Nothing that decides may hang on it. */
export interface Names {
  readonly id: string
  readonly order: string
  readonly folder: string
  readonly shops: readonly string[]
  readonly goods: string
  readonly diary: string
  readonly event: string
}

/** One way to name things. */
const someNames: Names = {
  id: 'purchase-7',
  order: 'order',
  folder: 'lists',
  shops: ['Halden', 'Borm'],
  goods: 'brass tee',
  diary: 'log',
  event: 'incident',
}

/** A small task: an order and two or three price lists to read, a file to write. */
export function anOrderTask({ id, order, folder, shops, goods }: Names = someNames): Task {
  const list = (shop: string): string =>
    Array.from({ length: 30 }, (_, row) => `${shop},${goods} ${row},12.${row + 10}`).join('\n')
  const files = shops.map((shop) => ({ path: `${folder}/${shop.toLowerCase()}.csv`, text: list(shop) }))
  const named = files.map(({ path }, at) => `${path} (${shops[at]})`).join(', ')
  return {
    id,
    instruction: [
      `Work out the offer for ${order}.txt and write it to result.json.`,
      `The lists are: ${named}.`,
      'A list gives its amounts in EUR for one piece or for 100 pieces, as it says.',
      `result.json has the form {"lines":[{"item":"…","total":0.00}],"sum":0.00}, with one entry for each line.`,
      'Then answer with the sum.',
    ].join(' '),
    files: [{ path: `${order}.txt`, text: `1. 12 pieces of ${goods}\n2. 30 pieces of ${goods}\n` }, ...files],
  }
}

/** A task of few parts, each of 2,900 tokens. */
export function aDiaryTask({ id, diary, event }: Names = someNames, parts = 3): Task {
  const path = (part: number): string => `${diary}/part-${String(part).padStart(2, '0')}.txt`
  const text = `08:00 all is well with the ${event}s\n`.repeat(400).slice(0, 11_600)
  return {
    id,
    instruction: [
      `The ${diary} lies in ${parts} parts, ${path(1)} to ${path(parts)}.`,
      `Read all of it and list every ${event}.`,
      `Answer with JSON of the form {"${event}s":[{"id":"A-1","minutes":12}]}, each ${event} once.`,
    ].join(' '),
    files: Array.from({ length: parts }, (_, at) => ({ path: path(at + 1), text })),
  }
}
