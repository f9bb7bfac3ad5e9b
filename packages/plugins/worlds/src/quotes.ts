import type { Task, TaskFile } from '@harnesswright/core'
import { FILE_LATENCY_MS, QUOTES } from './constants.js'
import { createDistractors } from './distractors.js'
import { readOptions } from './options.js'
import { checkQuote, type QuoteLine } from './quotes-check.js'
import { type PriceList, writePriceList } from './quotes-lists.js'
import { createDraws, type Draws } from './random.js'
import type { World, WorldOptions, WorldSize, WorldTask } from './world.js'

/** One line of the order. */
interface OrderLine {
  readonly item: string
  readonly pieces: number
}

interface Instance {
  readonly number: number
  readonly lists: readonly PriceList[]
  readonly approved: readonly string[]
  readonly order: readonly OrderLine[]
}

/** Read an order and price lists in several formats, compute, write `answer.json`. */
export const quotes: World = {
  name: 'quotes',
  summary: 'Read an order and several price lists, take the cheaper approved supplier a line, write answer.json.',
  sizes: ['small', 'large'],
  stepLimit: QUOTES.stepLimit,
  generate(options: WorldOptions = {}): WorldTask {
    const { size, rng, distractors } = readOptions(options)
    const instance = drawInstance(size, createDraws('quotes', size, rng))
    const files = instance.lists.map(writePriceList)
    const expected = expectedLines(instance)
    return {
      task: createTask(`quotes-${size}-${rng}`, instance, files),
      tools: createDistractors(distractors),
      toolLatencyMs: FILE_LATENCY_MS,
      stepLimit: QUOTES.stepLimit,
      check: async ({ readFile }) => checkQuote(expected, await readFile('answer.json')),
    }
  },
}

function drawInstance(size: WorldSize, draws: Draws): Instance {
  const { lists: range, items: count, lines } = QUOTES[size]
  const suppliers = draws.shuffle(QUOTES.suppliers).slice(0, draws.integer(range))
  const all = QUOTES.materials.flatMap((material) => QUOTES.parts.map((part) => `${material} ${part}`))
  const items = draws.shuffle(all).slice(0, count)
  const usual = new Map(items.map((item) => [item, draws.integer(QUOTES.price)]))
  const lists = suppliers.map((supplier) => ({ supplier, prices: drawPrices(items, usual, draws) }))
  const approved = draws.shuffle(suppliers).slice(0, QUOTES.approved)
  const ordered = draws.shuffle(items).slice(0, draws.integer(lines))
  const order = ordered.map((item) => ({ item, pieces: draws.integer(QUOTES.pieces) }))
  const number = draws.integer([1000, 9999])
  return { number, lists: settleTies({ lists, approved, order }), approved, order }
}

function drawPrices(items: readonly string[], usual: ReadonlyMap<string, number>, draws: Draws): Map<string, number> {
  return new Map(
    draws.shuffle(items).map((item) => {
      const cents = usual.get(item) ?? 0
      return [item, Math.round((cents * (100 + draws.integer(QUOTES.spread))) / 100)]
    }),
  )
}

/** Approved suppliers never ask the same for an ordered item, so that there is one right answer. */
function settleTies({ lists, approved, order }: Omit<Instance, 'number'>): readonly PriceList[] {
  const [first, second] = approved.map((name) => lists.find((list) => list.supplier === name) as PriceList)
  if (first === undefined || second === undefined) return lists
  const prices = new Map(second.prices)
  for (const { item } of order) {
    const cents = prices.get(item) ?? 0
    if (cents === first.prices.get(item)) prices.set(item, cents + 1)
  }
  return lists.map((list) => (list === second ? { ...second, prices } : list))
}

function expectedLines({ lists, approved, order }: Instance): readonly QuoteLine[] {
  const offers = lists.filter((list) => approved.includes(list.supplier))
  return order.map(({ item, pieces }) => {
    const [best] = offers
      .map(({ supplier, prices }) => ({ supplier, cents: prices.get(item) ?? 0 }))
      .sort((one, other) => one.cents - other.cents)
    if (best === undefined) throw new Error('an order names at least one approved supplier')
    return { item, supplier: best.supplier, totalCents: best.cents * pieces }
  })
}

function createTask(id: string, instance: Instance, lists: readonly { path: string; text: string }[]): Task {
  const named = lists.map(({ path }, index) => `${path} (${instance.lists[index]?.supplier})`).join(', ')
  const files: readonly TaskFile[] = [{ path: 'order.txt', text: writeOrder(instance) }, ...lists]
  return {
    id,
    instruction: [
      'Work out the quote for the order in order.txt and write it to answer.json.',
      'The order names the approved suppliers; buy from nobody else.',
      `The price lists are: ${named}.`,
      'A list gives its prices in EUR for one piece or for 100 pieces, as it says.',
      'For each line of the order take the approved supplier with the lower price.',
      'answer.json has the form {"lines":[{"item":"…","supplier":"…","unitPrice":0.00,"total":0.00}],"sum":0.00},',
      'in EUR, with one entry for each line of the order. Then answer with the sum.',
    ].join(' '),
    files,
  }
}

function writeOrder({ number, approved, order }: Instance): string {
  const lines = order.map(({ item, pieces }, index) => `${index + 1}. ${pieces} pieces of ${item}`)
  return [
    `Order ${number}`,
    `Approved suppliers: ${approved.join(' and ')}`,
    `Lines: ${order.length}`,
    '',
    ...lines,
    '',
  ].join('\n')
}
