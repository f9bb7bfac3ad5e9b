import { type Claim, type Goal, type GoalState, type Known, NO_MEANINGS, type Problem, type Slips } from '../reader.js'

/** One line of the order as far as it is known. */
interface OrderLine {
  readonly number: string
  readonly pieces: number
  readonly item: string
}

/** What the order says, once all of it is known. */
interface Order {
  readonly approved: readonly string[]
  readonly lines: readonly OrderLine[]
}

/**
 * The problem of a quote: read the order, read the lists that it leaves in play, write the file.
 *
 * @param isWhole - It is the task itself. A subtask that writes says where, so that others know that it is done.
 */
export function createQuoteProblem(goals: readonly Goal[], isWhole: boolean): Problem {
  const read = goals.filter((goal) => goal.isFinal !== true)
  const writes = goals.some((goal) => goal.isFinal === true)
  const hasOrder = goals.some((goal) => goal.id === 'order')
  return {
    goals,
    isCounted: false,
    isRow: false,
    stateOf,
    needs: (goal) => (goal.isFinal === true ? read : []),
    intent(goal, known, slips) {
      const path = goal.path ?? ''
      return goal.isFinal === true ? { verb: 'write', path, content: writeQuote(known, slips) } : { verb: 'read', path }
    },
    outcome: (intent) =>
      intent.verb === 'write' ? { key: 'written', value: intent.path, isProgress: true } : undefined,
    matters: (claim, known) =>
      !claim.key.startsWith('price:') || isOrdered(claim, known) || (!hasOrder && readLines(known).length === 0),
    meanings: () => NO_MEANINGS,
    needed: neededFor,
    keywords: (asked, known) => [
      ...asked.filter(({ id }) => id.startsWith('list:')).map(({ id }) => id.slice('list:'.length)),
      ...readLines(known).map(({ item }) => item),
      'order',
    ],
    answer(known, slips) {
      if (!writes) return undefined
      const path = isWhole ? undefined : known.get('written')
      return `${answerQuote(known, slips)}${path === undefined ? '' : ` The file ${path} holds the quote.`}`
    },
    claimsOf: () => undefined,
  }
}

/** Who reads a list must know what is ordered of whom; who writes the quote the prices too. */
function neededFor(goals: readonly Goal[], known: Known): readonly string[] {
  const reads = goals.some(({ id }) => id.startsWith('list:'))
  const writes = goals.some(({ isFinal }) => isFinal === true)
  return [...known]
    .filter(([key, value]) => {
      const kind = key.split(':', 1)[0] ?? ''
      if (kind === 'price') return writes && isOrdered({ key, value }, known)
      return (reads || writes) && ['approved', 'lines', 'line'].includes(kind)
    })
    .map(([key]) => key)
}

/** A list is done when the order rules it out, or every price that the order asks for is known. */
function stateOf(goal: Goal, known: Known): GoalState {
  if (known.has('written')) return 'done'
  if (goal.isFinal === true) return 'ready'
  const order = readOrder(known)
  if (goal.id === 'order') return order === undefined ? 'ready' : 'done'
  const supplier = goal.id.slice('list:'.length)
  if (order === undefined) return known.has(goal.id) ? 'done' : 'ready'
  if (!order.approved.includes(supplier)) return 'done'
  return order.lines.every(({ item }) => known.has(`price:${supplier}:${item}`)) ? 'done' : 'ready'
}

/** The order, if all of it is known: who is approved, and each of its lines. */
function readOrder(known: Known): Order | undefined {
  const approved = known.get('approved')?.split('|')
  const lines = readLines(known)
  return approved === undefined || lines.length < Number(known.get('lines') ?? Number.NaN) || !known.has('lines')
    ? undefined
    : { approved, lines }
}

function readLines(known: Known): readonly OrderLine[] {
  const lines: OrderLine[] = []
  for (const [key, value] of known) {
    if (!key.startsWith('line:')) continue
    const [pieces, item = ''] = value.split('|')
    lines.push({ number: key.slice('line:'.length), pieces: Number(pieces), item })
  }
  return lines.sort((one, other) => Number(one.number) - Number(other.number))
}

function isOrdered(claim: Claim, known: Known): boolean {
  const [, supplier = '', item] = claim.key.split(':')
  const approved = known.get('approved')?.split('|')
  if (approved !== undefined && !approved.includes(supplier)) return false
  return readLines(known).some((line) => line.item === item)
}

interface PricedLine {
  readonly item: string
  readonly supplier: string
  readonly unitCents: number
  readonly totalCents: number
}

/** The quote from what is known: the lines that have a price, and their sum. Arithmetic may slip. */
function priceLines(known: Known, slips: Slips): { readonly lines: readonly PricedLine[]; readonly sumCents: number } {
  const approved = known.get('approved')?.split('|') ?? []
  const lines = readLines(known).flatMap(({ number, pieces, item }) => {
    const offers = approved.flatMap((supplier) => {
      const cents = known.get(`price:${supplier}:${item}`)
      return cents === undefined ? [] : [{ supplier, unitCents: Number(cents) }]
    })
    const [best] = offers.sort((one, other) => one.unitCents - other.unitCents)
    if (best === undefined) return []
    return [{ item, ...best, totalCents: best.unitCents * (slips(`line ${number}`) ? pieces + 1 : pieces) }]
  })
  const sum = lines.reduce((total, line) => total + line.totalCents, 0)
  return { lines, sumCents: slips('sum') ? sum + 1_000 : sum }
}

function writeQuote(known: Known, slips: Slips): string {
  const { lines, sumCents } = priceLines(known, slips)
  return JSON.stringify({
    lines: lines.map(({ item, supplier, unitCents, totalCents }) => ({
      item,
      supplier,
      unitPrice: unitCents / 100,
      total: totalCents / 100,
    })),
    sum: sumCents / 100,
  })
}

function answerQuote(known: Known, slips: Slips): string {
  const { lines, sumCents } = priceLines(known, slips)
  return `The sum of the quote is ${(sumCents / 100).toFixed(2)} EUR for ${lines.length} lines.`
}
