import type { MergeConflict } from '@harnesswright/core'
import { comparePaths } from '../jail/names.js'

/** The content of a workspace: a hash for each path. */
export type Contents = ReadonlyMap<string, string>

/** What a merge is to do. Removals come first. */
export interface MergePlan {
  readonly remove: readonly string[]
  readonly write: readonly string[]
  readonly conflicts: readonly MergeConflict[]
}

/** The three sides of a merge. */
export interface MergeSides {
  /** Both at the time of the fork. */
  readonly base: Contents
  /** What is merged. */
  readonly theirs: Contents
  /** What it is merged into. */
  readonly ours: Contents
}

/** Decides for each path by three hashes. What only one side changed is taken; what both changed alike is done already. */
export function planMerge({ base, theirs, ours }: MergeSides): MergePlan {
  const remove: string[] = []
  const write: string[] = []
  const conflicts: MergeConflict[] = []
  for (const path of [...new Set([...base.keys(), ...theirs.keys()])].sort(comparePaths)) {
    const [was, their, our] = [base.get(path), theirs.get(path), ours.get(path)]
    if (their === was || their === our) continue
    if (our !== was) conflicts.push({ path, reason: describeConflict(was, their, our) })
    else if (their === undefined) remove.push(path)
    else write.push(path)
  }
  return { remove, write, conflicts }
}

function describeConflict(was: string | undefined, their: string | undefined, our: string | undefined): string {
  if (was === undefined) return 'both added this file with different content'
  if (their === undefined) return 'the fork deleted this file, which changed here'
  if (our === undefined) return 'the fork changed this file, which was deleted here'
  return 'both changed this file'
}

/** What makes `ours` equal to `theirs`. */
export function planCommit(theirs: Contents, ours: Contents): Omit<MergePlan, 'conflicts'> {
  return {
    remove: [...ours.keys()].filter((path) => !theirs.has(path)),
    write: [...theirs.keys()].filter((path) => theirs.get(path) !== ours.get(path)),
  }
}
