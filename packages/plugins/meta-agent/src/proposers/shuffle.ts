import { seededRandom } from '@harnesswright/core'

/** The items in an order that depends on the seed alone. */
export function shuffle<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = seededRandom(seed)
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random.next() * (last + 1))
    const [here, there] = [shuffled[last] as Item, shuffled[other] as Item] // both are places of the list
    shuffled[last] = there
    shuffled[other] = here
  }
  return shuffled
}
