import { type ConformanceCase, check } from './case.js'
import { runTrial, type Subject, TRIAL_TOOLS } from './trial.js'

/** Rules for capabilities. */
export function capabilityCases(subject: Subject): readonly ConformanceCase[] {
  return [
    {
      name: 'CAP-1 offers tools of the environment and of modules, and invents none',
      run: async () => {
        const known = new Set(TRIAL_TOOLS.map((tool) => tool.name))
        const { result, requests } = await runTrial(subject)
        check(result.error === undefined, result.error?.message ?? '')
        for (const tool of requests.flatMap((request) => request.tools ?? [])) {
          check(
            known.has(tool.name) || tool.owner !== undefined,
            `the tool "${tool.name}" is not one of the environment`,
          )
        }
      },
    },
    {
      name: 'CAP-2 says so when it takes tools away from one step to the next (breaksPrefix)',
      run: async () => {
        const { result } = await runTrial(subject)
        const shrank = result.steps.some((step, index) => {
          const before = result.steps[index - 1]?.capabilities ?? []
          return before.some((name) => !step.capabilities.includes(name)) && step.end === undefined
        })
        check(!shrank || subject.module.breaksPrefix === true, 'tools were taken away, and breaksPrefix is not set')
      },
    },
    {
      name: 'CAP-3 names a tool that is on offer when it demands one',
      run: async () => {
        for (const { choice, tools } of (await runTrial(subject)).requests) {
          if (typeof choice !== 'object') continue
          check(
            tools?.some((tool) => tool.name === choice.tool) === true,
            `the tool "${choice.tool}" is demanded and not offered`,
          )
        }
      },
    },
  ]
}
