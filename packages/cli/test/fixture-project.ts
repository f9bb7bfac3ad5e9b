import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Name of the package of modules that a fixture project depends on. */
export const FIXTURE = '@acme/harnesswright-odd'

/** Actions of the package, as the body of `act(ctx)`: each ends a run in its own way. */
const ACTIONS = {
  answers: "return { kind: 'answer', answer: 'all is well\\u001b[31m\\u202e' }",
  fails: "return { kind: 'fail', reason: 'the lists are \\u001b[1mmissing' }",
  throws: "throw new TypeError('a bug of the module')",
  thinks: "return { kind: 'think' }",
  asks: "await ctx.model({ purpose: 'act', messages: [{ role: 'user', content: 'hello there' }] })",
  says: "const { content } = await ctx.model({ purpose: 'act', messages: [{ role: 'user', content: 'hello there' }] }); return { kind: 'answer', answer: content }",
  asksUsd: "return { kind: 'answer', answer: [ctx.left.steps, ctx.left.tokens] }",
  wonders:
    "return ctx.last === undefined ? { kind: 'ask', question: 'Which year\\u001b[31m?' } : { kind: 'answer', answer: ctx.last.observations[0].content }",
  counts:
    "return ctx.last === undefined ? { kind: 'ask', question: 'How many?', schema: { type: 'integer' } } : { kind: 'answer', answer: ctx.last.observations[0].data }",
  writes:
    "if (ctx.last === undefined) return { kind: 'call', calls: [{ id: 'c', name: 'write_file', arguments: JSON.stringify({ path: 'note.txt', content: 'x' }) }] }; if (ctx.step === 2) return { kind: 'ask', question: 'Go on?' }; return { kind: 'answer', answer: 'done' }",
  spawns:
    "if (ctx.depth > 0) return { kind: 'answer', answer: ctx.task.instruction }; if (ctx.last !== undefined) return { kind: 'answer', answer: ctx.last.observations.map((one) => one.content) }; return { kind: 'spawn', runs: ['left', 'right'].map((id) => ({ id, task: { instruction: 'Look ' + id + '.' } })) }",
  lists: "return { kind: 'answer', answer: ctx.catalog.skills.map(({ name }) => name) }",
  leaks: "return { kind: 'answer', answer: 'the key is sk-of-the-user-1' }",
} as const

/** An action of the package. */
export type FixtureAction = keyof typeof ACTIONS

/** Writes files below a directory. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/**
 * Makes a project that depends on a package of modules, with a manifest for each of its actions.
 *
 * The package is plain JavaScript without dependencies, as it is installed far away from core.
 */
export function writeProject(directory: string): void {
  const modules = Object.entries(ACTIONS).map(
    ([name, body]) =>
      `export const ${name} = define({ slot: 'action', summary: '${name}.', async act(ctx) { ${body} } })`,
  )
  const described = Object.keys(ACTIONS).map((name) => [
    name,
    {
      slot: 'action',
      summary: `${name}.`,
      options: { type: 'object', properties: {}, additionalProperties: false },
      prompts: {},
      requires: [],
      provides: [],
    },
  ])
  const root = `node_modules/${FIXTURE}`
  writeFiles(directory, {
    'package.json': JSON.stringify({ name: 'project', dependencies: { [FIXTURE]: '1.2.3', 'left-out': '1.0.0' } }),
    'node_modules/left-out/package.json': JSON.stringify({ name: 'left-out', version: '1.0.0' }),
    [`${root}/package.json`]: JSON.stringify({
      name: FIXTURE,
      version: '1.2.3',
      type: 'module',
      exports: { '.': { types: './index.d.ts', import: './index.js' } },
    }),
    [`${root}/index.js`]: [
      'globalThis[Symbol.for("harnesswright-odd.imported")] = true',
      "const define = (spec) => Object.freeze(Object.defineProperty(spec, Symbol.for('harnesswright.module/1'), { value: true }))",
      ...modules,
    ].join('\n'),
    [`${root}/harnesswright.json`]: JSON.stringify({
      name: FIXTURE,
      protocol: 1,
      authority: 'none',
      modules: Object.fromEntries(described),
    }),
    ...Object.fromEntries(
      (Object.keys(ACTIONS) as FixtureAction[]).map((name) => [`${name}.json`, JSON.stringify(manifestOf(name))]),
    ),
  })
}

/** A manifest whose action is one of the package. */
export function manifestOf(action: FixtureAction): object {
  return {
    protocol: 1,
    name: action,
    packages: { [FIXTURE]: '^1.0.0' },
    memory: null,
    planning: null,
    capability: null,
    action: { use: `${FIXTURE}#${action}` },
  }
}

/** Whether the code of the package was run since it was last asked. */
export function wasImported(): boolean {
  const flag = Symbol.for('harnesswright-odd.imported')
  const was = Reflect.get(globalThis, flag) === true
  Reflect.deleteProperty(globalThis, flag)
  return was
}
