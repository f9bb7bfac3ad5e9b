import type {
  Capabilities,
  Directive,
  Message,
  ModelCall,
  PendingEffect,
  RunRecord,
  View,
} from '@harnesswright/protocol'
import type { Turn } from '../hooks/hooks.js'
import { readResult } from '../tools/read-result.js'
import type { RunState } from './run-state.js'

/** One turn of a run, while it is under way: what has been built so far. Hooks pass it along. */
export class LiveTurn implements Turn {
  readonly run: RunState
  readonly step: number
  readonly at: number
  view: View
  directive: Directive = { text: '' }
  capabilities: Capabilities
  /** Notes made so far, in order, clean; emptied when they are placed in the step. */
  notes: Message[] = []
  /** Notes made while the step was recorded. */
  readonly recorded: Message[] = []
  readonly underWay: Set<{ readonly module: string }> = new Set()
  /** A step is under way; else the run is being started. */
  isOfStep = false
  /** A request of this step was larger than the context window. */
  overflowed = false
  /** In the order in which they were made; undefined while under way, and where one failed. */
  readonly modelCalls: (ModelCall | undefined)[] = []
  /** Arguments of the calls of this step's replies that no action has made yet, by id. */
  readonly openCalls: Map<string, string> = new Map()

  constructor(run: RunState, step: number) {
    this.run = run
    this.step = step
    this.at = run.env.clock.now()
    this.view = { messages: run.head } // before the first step; else it begins as head plus history
    this.capabilities = { tools: run.tools, skills: run.env.skills }
  }

  get path(): string {
    return this.run.path
  }

  /** Puts the notes made since the last time into the last step. */
  placeNotes(): void {
    if (this.notes.length === 0) return
    const notes = this.takeNotes()
    this.recorded.push(...notes)
    this.run.finishLast(notes, {})
  }

  /** The turn of an effect that was under way: what was built before it is as it was, the view as without a memory. */
  goOn({ directive, capabilities, modelCalls, during = [] }: PendingEffect): void {
    const { tools, brought, env, tree, path } = this.run
    const all = [...tools, ...brought, readResult]
    this.directive = directive
    this.notes = [...during]
    this.capabilities = {
      tools: capabilities.flatMap((name) => all.find((tool) => tool.name === name) ?? []),
      skills: env.skills,
    }
    const { calls } = tree.runs[path] as RunRecord
    this.modelCalls.push(...calls.slice(0, modelCalls).map((call) => call ?? undefined))
  }

  /** Takes the notes made since the last time. */
  takeNotes(): Message[] {
    const { notes } = this
    this.notes = []
    return notes
  }
}
