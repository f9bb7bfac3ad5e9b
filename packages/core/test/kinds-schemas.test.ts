import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool, type Json, type Tool } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { runOnce } from './one-run.js'

/** References of a schema that point at nothing in it. */
function dangling(schema: unknown, root: unknown = schema): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref } = schema as { $ref?: unknown }
  const own = typeof $ref === 'string' && !resolves($ref, root) ? [$ref] : []
  return [...own, ...Object.values(schema).flatMap((part) => dangling(part, root))]
}

function resolves(ref: string, root: unknown): boolean {
  if (!ref.startsWith('#')) return false
  const found = ref
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root)
  return typeof found === 'object' && found !== null
}

const refsIn = (schema: unknown): number => JSON.stringify(schema).split('"$ref"').length - 1

const place = z.object({ city: z.string(), zip: z.number().int().optional() })
const named = place.meta({ id: 'a/place~1' })
interface Node {
  readonly name: string
  readonly children: readonly Node[]
}
const node: z.ZodType<Node> = z.object({ name: z.string(), children: z.array(z.lazy(() => node)) })

const ship = (input: z.ZodType<object>): Tool =>
  defineTool({ name: 'ship', description: 'Ships.', input, execute: (args) => JSON.stringify(args) })

describe('a tool whose schema has one part in two places', () => {
  const home = { city: 'Ghent' }
  const work = { city: 'Bruges', zip: 8_000 }
  test.each<[string, z.ZodType<object>, Json, number]>([
    ['that is written out', z.object({ from: place, to: place }), { from: home, to: work }, 0],
    ['with a name of its own', z.object({ from: named, to: named }), { from: home, to: work }, 2],
    [
      'in lists and choices',
      z.object({ stops: z.array(named), end: z.union([named, z.null()]) }),
      { stops: [home], end: work },
      2,
    ],
    [
      'that holds itself',
      z.object({ left: node, right: node }),
      { left: { name: 'a', children: [{ name: 'b', children: [] }] }, right: { name: 'c', children: [] } },
      1,
    ],
  ])(
    'K8: %s, is sent with references that all resolve, and its arguments are checked by them',
    async (_, input, args, refs) => {
      const model = createScriptedModel([
        { call: 'ship', with: args as never },
        { call: 'ship', with: spoil(args) as never },
        'done',
      ])
      const { requests, result } = await runOnce({ model, tools: [ship(input)] })

      const [sent] = requests[0]?.tools ?? []
      expect(refsIn(sent?.parameters)).toBeGreaterThanOrEqual(refs)
      expect(dangling(sent?.parameters)).toEqual([])
      const [good, bad] = result.steps.map((step) => step.observations[0])
      expect(good).toMatchObject({ ok: true, content: JSON.stringify(args) })
      expect(bad).toMatchObject({ ok: false, error: { code: 'E_TOOL_ARGUMENTS' } })
    },
  )
})

/** The same arguments, with a list where the innermost texts were. */
function spoil(args: Json): Json {
  if (typeof args === 'string') return ['not a text']
  if (Array.isArray(args)) return args.map(spoil)
  if (typeof args !== 'object' || args === null) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, spoil(value as Json)]))
}
