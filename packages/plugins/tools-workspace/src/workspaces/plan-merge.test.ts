import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Contents, planCommit, planMerge } from './plan-merge.js'

const contents = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'))
  .map((record): Contents => new Map(Object.entries(record)))

function apply(
  theirs: Contents,
  ours: Contents,
  plan: { remove: readonly string[]; write: readonly string[] },
): Contents {
  const result = new Map(ours)
  for (const path of plan.remove) result.delete(path)
  for (const path of plan.write) result.set(path, theirs.get(path) ?? 'nothing to write')
  return result
}

const toObject = (map: Contents) => Object.fromEntries(map)

test('what only the fork changed is taken, and all of it', () => {
  fc.assert(
    fc.property(contents, contents, (base, theirs) => {
      const plan = planMerge({ base, theirs, ours: base })
      expect(plan.conflicts).toEqual([])
      expect(toObject(apply(theirs, base, plan))).toEqual(toObject(theirs))
    }),
  )
})

test('a fork that changed nothing brings nothing', () => {
  fc.assert(
    fc.property(contents, contents, (base, ours) => {
      expect(planMerge({ base, theirs: base, ours })).toEqual({ remove: [], write: [], conflicts: [] })
    }),
  )
})

test('a merge made again brings nothing new', () => {
  fc.assert(
    fc.property(contents, contents, contents, (base, theirs, ours) => {
      const first = planMerge({ base, theirs, ours })
      const again = planMerge({ base, theirs, ours: apply(theirs, ours, first) })
      expect(again).toEqual({ remove: [], write: [], conflicts: first.conflicts })
    }),
  )
})

test('conflicts are the paths that both changed and not alike, and they stay as ours', () => {
  fc.assert(
    fc.property(contents, contents, contents, (base, theirs, ours) => {
      const plan = planMerge({ base, theirs, ours })
      const merged = apply(theirs, ours, plan)
      const isConflict = (path: string) => {
        const [was, their, our] = [base.get(path), theirs.get(path), ours.get(path)]
        return their !== was && our !== was && their !== our
      }
      expect(plan.conflicts.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd'].filter(isConflict))
      for (const { path } of plan.conflicts) expect(merged.get(path)).toBe(ours.get(path))
    }),
  )
})

test('a commit makes ours equal to theirs', () => {
  fc.assert(
    fc.property(contents, contents, (theirs, ours) => {
      expect(toObject(apply(theirs, ours, planCommit(theirs, ours)))).toEqual(toObject(theirs))
    }),
  )
})
