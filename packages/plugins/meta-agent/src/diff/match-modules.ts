/** Two modules that stand for one another, or one that stands in one list alone. */
type Pair<Item> = readonly [a: Item, b: Item] | readonly [a: Item, b: undefined] | readonly [a: undefined, b: Item]

/** Lists of modules, one beside the other. */
export interface Matching<Item> {
  readonly pairs: readonly Pair<Item>[]
  /** From 0 for lists of the same modules to 1 for lists with nothing in common. */
  readonly distance: number
}

/** Longer lists, which nobody writes, are compared place by place. */
const MOST_ALIGNED = 64

/**
 * Puts two lists beside one another so that they differ least, their order kept. A module without a counterpart counts 1, a
 * pair what its two modules differ by, from 0 to 1; the sum is taken by the number of modules.
 *
 * @param between - How far apart two modules are, from 0 to 1; undefined when one cannot stand for the other.
 */
export function matchModules<Item>(
  a: readonly Item[],
  b: readonly Item[],
  between: (a: Item, b: Item) => number | undefined,
): Matching<Item> {
  const whole = Math.max(a.length, b.length) > MOST_ALIGNED ? zip(a, b, between) : align(a, b, between)
  return { pairs: whole.pairs, distance: a.length + b.length === 0 ? 0 : whole.cost / (a.length + b.length) }
}

interface Alignment<Item> {
  readonly cost: number
  readonly pairs: readonly Pair<Item>[]
}

/** The cheapest of all ways to put two lists beside one another: each prefix of one against each of the other. */
function align<Item>(
  a: readonly Item[],
  b: readonly Item[],
  between: (a: Item, b: Item) => number | undefined,
): Alignment<Item> {
  let above: Alignment<Item>[] = [{ cost: 0, pairs: [] }]
  for (const item of b) above.push(added<Item>(above.at(-1), [undefined, item], 1))
  for (const item of a) {
    const line: Alignment<Item>[] = [added<Item>(above[0], [item, undefined], 1)]
    for (const [column, other] of b.entries()) {
      const distance = between(item, other)
      const ways = [
        added<Item>(line[column], [undefined, other], 1),
        added<Item>(above[column + 1], [item, undefined], 1),
      ]
      if (distance !== undefined) ways.unshift(added<Item>(above[column], [item, other], distance))
      line.push(ways.reduce((best, way) => (way.cost < best.cost ? way : best)))
    }
    above = line
  }
  return above.at(-1) as Alignment<Item> // there is one for the empty lists
}

/** One beside the other from the first on. */
function zip<Item>(
  a: readonly Item[],
  b: readonly Item[],
  between: (a: Item, b: Item) => number | undefined,
): Alignment<Item> {
  const pairs: Pair<Item>[] = []
  let cost = 0
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [a[index], b[index]]
    const distance = one === undefined || other === undefined ? undefined : between(one, other)
    if (distance !== undefined) pairs.push([one as Item, other as Item])
    else {
      if (one !== undefined) pairs.push([one, undefined])
      if (other !== undefined) pairs.push([undefined, other])
    }
    cost += distance ?? (one === undefined || other === undefined ? 1 : 2)
  }
  return { cost, pairs }
}

function added<Item>(before: Alignment<Item> | undefined, pair: Pair<Item>, cost: number): Alignment<Item> {
  const { cost: spent, pairs } = before as Alignment<Item> // every prefix was aligned before
  return { cost: spent + cost, pairs: [...pairs, pair] }
}
