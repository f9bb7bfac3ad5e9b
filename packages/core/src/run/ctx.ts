import { copyJson, HarnessError, renderTemplate, type Tool } from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'
import type { Ctx, Left } from '../module/module.js'
import { callModel } from './model-call.js'
import type { RunState } from './run-state.js'

/** Where each field of ctx is read that the run or the turn under way has: at every look. */
const FIELDS = {
  task: (run) => run.task,
  step: (run) => run.turn.step,
  path: (run) => run.path,
  depth: (run) => run.depth,
  resumed: (run) => run.isResumed,
  signal: (run) => run.gate.signal,
  head: (run) => run.head,
  view: (run) => run.turn.view,
  overflowed: (run) => run.turn.overflowed,
  directive: (run) => run.turn.directive,
  capabilities: (run) => run.turn.capabilities,
  history: (run) => run.steps,
  last: (run) => run.steps.at(-1),
  children: (run) => run.children,
  catalog: (run) => ({ tools: run.tools, skills: run.env.skills }),
  brought: (run) => run.brought,
  manifest: (run) => run.harness.manifest,
  left: leftOf,
  modelInfo: (run) => run.env.model(),
} satisfies { readonly [Name in keyof Ctx]?: (run: RunState) => Ctx[Name] }

export function leftOf(run: RunState): Left {
  const { limits, meter } = run
  return {
    steps: Math.max(0, limits.steps - run.steps.length),
    tokens: meter.leftTokens(),
    usd: meter.leftUsd(),
    ms: run.leftMs(),
    toolCalls: Math.max(0, limits.toolCalls - meter.spent(0).toolCalls),
    depth: Math.max(0, limits.depth - run.depth),
  }
}

/** What one module of one run sees. Made once. */
export function createCtx(run: RunState, mount: Mount): Ctx {
  const { key, options, prompts, use, slot } = mount
  let tools: readonly Tool[] | undefined
  const emit: Ctx['emit'] = (name, data) => {
    const copied = data === undefined ? {} : { data: copyJson(data) } // now, so that a reader makes no difference
    run.emit(() => ({ type: 'custom', name, by: key, ...copied }))
  }
  const ctx = {
    options,
    get state(): object {
      return run.states.get(key)
    },
    set state(state: object) {
      run.states.set(key, state)
    },
    /** Made at the first look and kept for the run, so that a tool is one object at every step. */
    get tools(): readonly Tool[] {
      tools ??= attributed(mount, 'tools', run.turn.step, () => mount.module.tools?.(ctx) ?? []).map((tool) =>
        Object.freeze({ ...tool, owner: key }),
      )
      return tools
    },
    prompt(name: string, values: Readonly<Record<string, string | number>> = {}): string {
      const template = Object.hasOwn(prompts, name) ? prompts[name] : undefined
      if (template !== undefined) return renderTemplate(template, values)
      throw new HarnessError('E_RUN_PROMPT', {
        message: `${use} has no prompt "${name}".`,
        slot,
        module: use,
        step: run.turn.step,
      })
    },
    model: (request) => callModel(run, key, request),
    note(kind, text): void {
      run.turn.notes.push({ role: 'user', content: text, note: kind })
      run.emit(() => ({ type: 'note', kind, text, by: key }))
    },
    put: (value) => run.put(value),
    get: (id) => run.get(id),
    random: () => run.random(key),
    now: () => run.env.clock.now(),
    log: (message) => emit('log', message),
    emit,
    estimate: (messages) => run.sizes.estimate(messages, run.env.model()),
  } as Ctx // the fields that are read from the run are defined below
  for (const [name, read] of Object.entries(FIELDS))
    Object.defineProperty(ctx, name, { enumerable: true, get: () => read(run) })
  return ctx
}
