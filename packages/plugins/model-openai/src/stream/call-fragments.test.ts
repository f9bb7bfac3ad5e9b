import { describe, expect, test } from 'vitest'
import { CallFragments } from './call-fragments.js'

interface Piece {
  index?: number
  id?: string
  name?: string
  args?: unknown
}

function assemble(...pieces: readonly Piece[]): [id: string, name: string, text: string][] {
  const fragments = new CallFragments()
  for (const { name, args, ...rest } of pieces)
    fragments.push({
      ...rest,
      function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
    })
  return fragments.calls().map((call) => [call.id, call.name, call.arguments])
}

const A = '{"a":1,"b":2}'
const B = '{"a":3,"b":4}'

describe('calls that come in pieces', () => {
  test('are put together by index, also when their pieces are mixed', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: '' },
      { index: 1, id: 'y', name: 'add', args: '' },
      { index: 1, args: '{"a":3,' },
      { index: 0, args: '{"a":1,' },
      { index: 0, args: '"b":2}' },
      { index: 1, args: '"b":4}' },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K17 are two when both have index 0 and ids of their own', () => {
    expect(assemble({ index: 0, id: 'x', name: 'add', args: A }, { index: 0, id: 'y', name: 'add', args: B })).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K17 are two when both have index 0, ids of their own and arguments in pieces', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: '{"a":1' },
      { index: 0, args: ',"b":2}' },
      { index: 0, id: 'y', name: 'add', args: '{"a":3' },
      { index: 0, args: ',"b":4}' },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K17 are two when both have index 0, and the head of the second comes without arguments', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: A },
      { index: 0, id: 'y', name: 'add', args: '' },
      { index: 0, args: B },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K18 go on under index 1 when their head came under index 0', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: A },
      { index: 0, id: 'y', name: 'add', args: '{"a":3,' },
      { index: 1, args: '"b":4}' },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K19 are one when no piece has an index', () => {
    const calls = assemble({ id: 'x', name: 'add', args: '' }, { args: '{"a":1,' }, { args: '"b":2}' })
    expect(calls).toEqual([['x', 'add', A]])
  })

  test('K19 are two when no piece has an index and each has an id', () => {
    const calls = assemble(
      { id: 'x', name: 'add', args: '' },
      { args: A },
      { id: 'y', name: 'add', args: '' },
      { args: '{"a":3,' },
      { args: '"b":4}' },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('K20 are one when the name comes first and the arguments later, both at index 0 without an id', () => {
    expect(assemble({ index: 0, name: 'add' }, { index: 0, args: A })).toEqual([['', 'add', A]])
  })

  test('are two at index 0 without ids when a whole object is followed by another head', () => {
    const calls = assemble(
      { index: 0, name: 'add', args: '' },
      { index: 0, args: A },
      { index: 0, name: 'add', args: '' },
      { index: 0, args: B },
    )
    expect(calls).toEqual([
      ['', 'add', A],
      ['', 'add', B],
    ])
  })

  test('have gaps between their indices', () => {
    expect(assemble({ index: 1, id: 'x', name: 'add', args: A }, { index: 3, id: 'y', name: 'add', args: B })).toEqual([
      ['x', 'add', A],
      ['y', 'add', B],
    ])
  })

  test('have arguments before their names', () => {
    expect(
      assemble({ index: 0, id: 'x', args: '{"a":1,' }, { index: 0, args: '"b":2}' }, { index: 0, name: 'add' }),
    ).toEqual([['x', 'add', A]])
    expect(assemble({ args: A }, { name: 'add' }, { args: B }, { name: 'sub' })).toEqual([
      ['', 'add', A],
      ['', 'sub', B],
    ])
  })

  test('repeat id and name in every piece', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: '' },
      { index: 0, id: 'x', name: 'add', args: '{"a":1,' },
      { index: 0, id: 'x', name: 'add', args: '"b":2}' },
      { index: 0, id: 'x', name: 'add', args: '' },
    )
    expect(calls).toEqual([['x', 'add', A]])
  })

  test('have empty ids in all pieces but the first', () => {
    expect(
      assemble({ index: 0, id: 'x', name: 'add', args: '{"a":1,' }, { index: 0, id: '', name: '', args: '"b":2}' }),
    ).toEqual([['x', 'add', A]])
  })

  test('have another id in each piece of one call', () => {
    expect(
      assemble({ index: 0, id: 'x', name: 'add', args: '{"a":1,' }, { index: 0, id: 'y', args: '"b":2}' }),
    ).toEqual([['x', 'add', A]])
  })

  test('are sent whole once more at the end, and are one', () => {
    expect(assemble({ index: 0, id: 'x', name: 'add', args: A }, { index: 0, id: 'x', name: 'add', args: A })).toEqual([
      ['x', 'add', A],
    ])
  })

  test('K25 are two when one id comes with different arguments', () => {
    for (const index of [0, 1])
      expect(assemble({ index: 0, id: 'x', name: 'add', args: A }, { index, id: 'x', name: 'add', args: B })).toEqual([
        ['x', 'add', A],
        ['x', 'add', B],
      ])
  })

  test('K25 are two when one id comes at another index, head first', () => {
    const calls = assemble(
      { index: 0, id: 'x', name: 'add', args: A },
      { index: 1, id: 'x', name: 'add', args: '' },
      { index: 1, args: B },
    )
    expect(calls).toEqual([
      ['x', 'add', A],
      ['x', 'add', B],
    ])
  })

  test('without arguments are two when their ids or names differ', () => {
    expect(
      assemble({ index: 0, id: 'x', name: 'now', args: '' }, { index: 0, id: 'y', name: 'now', args: '' }),
    ).toHaveLength(2)
    expect(assemble({ index: 0, name: 'now', args: '' }, { index: 0, name: 'then', args: '' })).toHaveLength(2)
  })

  test('K21 whose arguments are two objects glued together keep them, for the kernel to refuse', () => {
    expect(assemble({ index: 0, id: 'x', name: 'add', args: A + B })).toEqual([['x', 'add', A + B]])
  })

  test('with something after a whole object keep it, for the kernel to refuse', () => {
    expect(assemble({ index: 0, id: 'x', name: 'add', args: A }, { index: 0, args: '}' })).toEqual([
      ['x', 'add', `${A}}`],
    ])
  })

  test('hold brackets and quotes in their texts', () => {
    const text = '{"s":"}{\\"]["}'
    const pieces = [...text].map((char) => ({ index: 0, args: char }))
    expect(
      assemble({ index: 0, id: 'x', name: 'say' }, ...pieces, { index: 0, id: 'y', name: 'say', args: A }),
    ).toEqual([
      ['x', 'say', text],
      ['y', 'say', A],
    ])
  })
})
