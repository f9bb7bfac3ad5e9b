import type { Model } from '@harnesswright/core'
import type { Asking } from '../model/asking-options.js'
import { selectDiverse } from '../select/select-diverse.js'
import { createJudge } from '../select/select-judge.js'
import { createLogprob } from '../select/select-logprob.js'
import { firstOf, type SelectName, type Selector } from '../select/selector.js'

/** The selector of a name. */
export function selectorOf(name: SelectName, model: Model, asking: Asking): Selector {
  switch (name) {
    case 'judge':
      return createJudge(model, asking)
    case 'logprob':
      return createLogprob(model, asking)
    case 'diverse':
      return selectDiverse
    case 'first-valid':
      return (candidates) => firstOf(name, candidates, 'It is the first that passed every check.')
  }
}
