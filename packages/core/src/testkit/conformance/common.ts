import { faultOf, renderTemplate, templateVariables } from '@harnesswright/protocol'
import type { Module } from '../../module/module.js'
import { type ConformanceCase, check } from './case.js'
import { runTrial, type Subject } from './trial.js'

/** Rules for a module of any slot. */
export function commonCases(subject: Subject): readonly ConformanceCase[] {
  return [
    {
      name: 'MOD-1 describes itself: a summary, and a text for every option',
      run: async () => {
        check(subject.module.summary.trim() !== '', 'the module has no summary')
        const silent = optionsOf(subject.module).find(([, option]) => !option.description)
        check(silent === undefined, `the option "${silent?.[0]}" has no description`)
      },
    },
    {
      name: 'MOD-2 fills in its prompts with the variables that they name',
      run: async () => {
        for (const [name, text] of Object.entries(subject.module.prompts ?? {}) as [string, string][]) {
          const values = Object.fromEntries(templateVariables(text).map((variable) => [variable, 'x']))
          check(typeof renderTemplate(text, values) === 'string', `the prompt "${name}" cannot be filled in`)
        }
      },
    },
    {
      name: 'MOD-3 runs to the end in strict mode, with frozen input, JSON state and a valid history',
      run: async () => {
        const { result } = await runTrial(subject)
        check(result.error === undefined, result.error?.message ?? '')
        check(result.status === 'answered', `the run ended as ${result.status} (${result.reason})`)
        const fault = faultOf(result.messages)
        check(fault === undefined, `the history is not valid: ${fault}`)
      },
    },
    {
      name: 'MOD-4 keeps nothing outside its state: two runs of one module give the same requests',
      run: async () => {
        const first = await runTrial(subject)
        const second = await runTrial(subject)
        check(
          JSON.stringify(first.requests) === JSON.stringify(second.requests),
          'the second run asked the model something else than the first: is something kept in a closure or a global?',
        )
      },
    },
    {
      name: 'MOD-5 lets a run end at its step limit with what there is',
      run: async () => {
        const { result } = await runTrial(subject, { steps: 3 })
        check(result.status === 'limit', `the run ended as ${result.status} (${result.reason}), not as limit`)
        check(result.reason === 'steps', `the reason is ${result.reason}, not steps`)
      },
    },
  ]
}

/** The options of a module as its JSON Schema has them. */
function optionsOf({ options }: Module): readonly [name: string, option: { readonly description?: unknown }][] {
  const schema = options?.['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, { readonly description?: unknown }>)
}
