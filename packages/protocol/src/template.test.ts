import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHarnessError } from './errors/error.js'
import { renderTemplate, templateVariables } from './template.js'

describe('templateVariables', () => {
  test('lists each variable once, in order of appearance', () => {
    expect(templateVariables('{{b}} {{a}} {{b}}{{c_1}}')).toEqual(['b', 'a', 'c_1'])
  })

  test('finds none in texts of single, unclosed or nested braces', () => {
    expect(templateVariables('{a} {{b {"c":{"d":1}} }} {{')).toEqual([])
  })

  test('finds what stands between double braces as it is, so that an expression is seen and can be refused', () => {
    expect(templateVariables('{{ a }} {{a.b}} {{f()}}')).toEqual([' a ', 'a.b', 'f()'])
  })

  test('takes linear time for many opening braces', () => {
    const started = performance.now()
    templateVariables('{{'.repeat(500_000))
    templateVariables(`{{${'a'.repeat(1_000_000)}`)
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('renderTemplate', () => {
  test('fills every variable, numbers too', () => {
    expect(renderTemplate('{{n}} of {{what}}, {{n}}', { n: 3, what: 'x' })).toBe('3 of x, 3')
  })

  test('never expands what it inserted', () => {
    expect(renderTemplate('{{a}}{{b}}', { a: '{{b}}', b: '{{a}} $& $1' })).toBe('{{b}}{{a}} $& $1')
  })

  test('leaves out values for which the text has no place', () => {
    expect(renderTemplate('only {{a}}', { a: 1, b: 2 })).toBe('only 1')
  })

  test('names the variable without a value and those that have one', () => {
    const render = () => renderTemplate('{{question}}', { query: 'x', words: 2 })

    expect(render).toThrow(/\{\{question\}\}.*query, words/)
    expect(render).toThrow(expect.objectContaining({ code: 'E_RUN_PROMPT' }))
  })

  test.each(['constructor', '__proto__', 'toString'])(
    'does not take {{%s}} from the prototype of the values',
    (name) => {
      try {
        renderTemplate(`{{${name}}}`, {})
        expect.unreachable()
      } catch (error) {
        expect(isHarnessError(error) && error.code).toBe('E_RUN_PROMPT')
      }
    },
  )

  test('gives the text back unchanged when values stand for their own places', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('{{a}}', '{{b}}', '{', '}', '{{', '}}'))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const own = Object.fromEntries(templateVariables(text).map((name) => [name, `{{${name}}}`]))
        expect(renderTemplate(text, own)).toBe(text)
      }),
    )
  })
})
