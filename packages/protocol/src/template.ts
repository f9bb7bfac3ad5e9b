import { HarnessError } from './errors/error.js'

// Two braces, a name without braces, two braces: the same places that the type `TemplateVariables` finds.
const VARIABLE = /\{\{([^{}]*)\}\}/g

/** Names of the `{{variables}}` of a template, each once, in order of appearance. */
export function templateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), (match) => match[1] ?? ''))]
}

/**
 * Fills in the `{{variables}}` of a template in one pass: what is inserted is never read as a template itself, and a
 * value for which the text has no place is left out.
 *
 * @throws HarnessError `E_RUN_PROMPT` when a variable has no value; it names the variable and the names that have one.
 */
export function renderTemplate(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(VARIABLE, (_, name: string) => {
    if (Object.hasOwn(values, name) && values[name] !== undefined) return String(values[name])
    const given = Object.keys(values)
    throw new HarnessError('E_RUN_PROMPT', {
      message: `The prompt has {{${name}}}, for which there is no value; values were given for: ${given.join(', ') || 'nothing'}.`,
      details: { variable: name, given },
    })
  })
}
