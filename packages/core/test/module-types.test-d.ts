import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { type Ctx, defineModule, defineTool, type Module } from '../src/index.js'

test('options, state, prompt names and variables of a module are inferred', () => {
  const module = defineModule({
    slot: 'memory',
    summary: 'Summarises.',
    options: z.object({ budgetTokens: z.number().default(20_000), mode: z.enum(['a', 'b']).default('a') }),
    prompts: { summarise: 'Shorten {{text}} to {{most}} words.', plain: 'Go on.' },
    state: ({ options }) => ({ summary: null as string | null, folded: options.budgetTokens }),
    view(ctx) {
      expectTypeOf(ctx.options).toEqualTypeOf<{ budgetTokens: number; mode: 'a' | 'b' }>()
      expectTypeOf(ctx.state).toEqualTypeOf<{ summary: string | null; folded: number }>()
      expectTypeOf(ctx.prompt('summarise', { text: 'x', most: 5 })).toEqualTypeOf<string>()
      expectTypeOf(ctx.prompt('plain')).toEqualTypeOf<string>()
      ctx.state.summary = 'short'

      // @ts-expect-error there is no such option
      ctx.options.budget
      // @ts-expect-error a mode is a or b
      ctx.options.mode = 'c'
      // @ts-expect-error there is no such field of the state
      ctx.state.summaries
      // @ts-expect-error a field of the state has its type
      ctx.state.folded = 'one'
      // @ts-expect-error there is no such prompt
      ctx.prompt('shorten')
      // @ts-expect-error the variables must be given
      ctx.prompt('summarise')
      // @ts-expect-error each variable must be given
      ctx.prompt('summarise', { text: 'x' })
      // @ts-expect-error there is no such variable
      ctx.prompt('summarise', { text: 'x', most: 5, least: 1 })
      // @ts-expect-error a variable is a text or a number
      ctx.prompt('summarise', { text: 'x', most: true })
      // @ts-expect-error a prompt without variables takes none
      ctx.prompt('plain', {})
      return ctx.view
    },
  })
  expectTypeOf(module).toEqualTypeOf<Module>()
})

test('a verb must give what its hook takes', () => {
  defineModule({
    slot: 'planning',
    summary: 'x',
    // @ts-expect-error a directive has a text
    direct: () => ({}),
  })
  defineModule({
    slot: 'action',
    summary: 'x',
    // @ts-expect-error there is no such kind of action
    act: () => ({ kind: 'jump' }),
  })
  defineModule({
    slot: 'plugin',
    summary: 'x',
    // @ts-expect-error a denial has a reason
    toolCall: () => ({ deny: true }),
  })
  // @ts-expect-error there is no such slot
  defineModule({ slot: 'brain', summary: 'x' })
})

test('a helper of several modules takes the ctx of any of them', () => {
  // biome-ignore lint/suspicious/noExplicitAny: what such a helper is written with
  const helper = (ctx: Ctx<any, any, any>): string => ctx.prompt('anything', { a: 1 }) + ctx.prompt('plain')
  defineModule({
    slot: 'planning',
    summary: 'x',
    prompts: { a: '{{b}}' },
    direct: (ctx) => ({ text: helper(ctx) }),
  })
})

test('the arguments of a tool are those of its schema', () => {
  defineTool({
    name: 'add',
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number().default(1) }),
    execute(args) {
      expectTypeOf(args).toEqualTypeOf<{ a: number; b: number }>()
      // @ts-expect-error there is no such argument
      args.c
      return args.a + args.b
    },
  })
  defineTool({
    name: 'add',
    description: 'Adds.',
    input: z.object({}),
    // @ts-expect-error a result is JSON
    execute: () => new Map(),
  })
})
