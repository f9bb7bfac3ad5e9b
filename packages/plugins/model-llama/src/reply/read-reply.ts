import type { Delta } from '@harnesswright/core'
import { CALL_CLOSE, CALL_OPEN } from './call-form.js'
import { heldBack } from './held-back.js'

const HEAD = /^\n\{"name": ("(?:[^"\\]|\\.)*"), "arguments": /
const END = `}\n${CALL_CLOSE}`

/** A call as it stood in a reply. The arguments of one that was cut are cut. */
interface ReadCall {
  readonly name: string
  readonly arguments: string
}

/** What a reply says. */
export interface ReadReply {
  readonly content: string
  readonly calls: readonly ReadCall[]
  /** Whether a call that was cut was left out, as others before it are whole. One that is alone is kept as it is. */
  readonly isCallLeftOut: boolean
}

/** Reads a reply piece by piece. */
export interface ReplyReader {
  push(piece: string): void
  /** What was read, when no more comes. */
  end(): ReadReply
}

/** What is being read: prose, the name of a call, or its arguments. */
type Reading = 'prose' | 'name' | 'arguments'

/** Where calls may begin: nowhere, with the reply alone, or after prose too. A marker elsewhere is text like any other. */
export type CallsBegin = 'nowhere' | 'at-start' | 'anywhere'

/**
 * Reads the text of a grammar of replies: prose or JSON, and calls.
 *
 * @param onDelta - Told each piece as soon as it is known what it is part of.
 */
export function createReplyReader(begin: CallsBegin, onDelta: (delta: Delta) => void = () => {}): ReplyReader {
  let reading: Reading = 'prose'
  let mayCall = begin !== 'nowhere'
  let pending = ''
  let content = ''
  const calls: { name: string; arguments: string }[] = []

  function takeProse(): boolean {
    if (begin === 'at-start' && calls.length === 0 && content === '') {
      mayCall = CALL_OPEN.startsWith(pending.slice(0, CALL_OPEN.length))
    }
    const at = mayCall ? pending.indexOf(CALL_OPEN) : -1
    const isCall = at >= 0
    const length = isCall ? at : pending.length - (mayCall ? heldBack(pending, [CALL_OPEN]) : 0)
    const said = pending.slice(0, length)
    pending = pending.slice(isCall ? at + CALL_OPEN.length : length)
    if (calls.length === 0 && said !== '') {
      content += said
      onDelta({ text: said })
    }
    if (isCall) reading = 'name'
    return isCall
  }

  function takeName(): boolean {
    const head = HEAD.exec(pending)
    if (head === null) return false
    const name = JSON.parse(head[1] as string) as string
    onDelta({ call: { index: calls.length, name } })
    calls.push({ name, arguments: '' })
    pending = pending.slice(head[0].length)
    reading = 'arguments'
    return true
  }

  function takeArguments(): boolean {
    const call = calls.at(-1)
    if (call === undefined) return false
    const at = pending.indexOf(END)
    const length = at >= 0 ? at : pending.length - heldBack(pending, [END])
    const said = pending.slice(0, length)
    call.arguments += said
    if (said !== '') onDelta({ call: { index: calls.length - 1, arguments: said } })
    pending = pending.slice(at >= 0 ? at + END.length : length)
    if (at >= 0) reading = 'prose'
    return at >= 0
  }

  const take = { prose: takeProse, name: takeName, arguments: takeArguments }
  return {
    push(piece) {
      pending += piece
      while (take[reading]()) {
        // more of the piece is of the next kind
      }
    },
    end() {
      const isCallLeftOut = reading !== 'prose' && endCutCall()
      if (reading === 'prose' && calls.length === 0 && pending !== '') {
        content += pending
        onDelta({ text: pending })
      }
      pending = ''
      return { content: calls.length === 0 ? content : content.trimEnd(), calls, isCallLeftOut }
    },
  }

  /** Says whether the call that was cut was left out. One that is alone must not be taken for an answer in words. */
  function endCutCall(): boolean {
    const whole = reading === 'name' ? calls.length : calls.length - 1
    const cut = calls[whole] ?? nameOfCut(pending)
    calls.length = whole
    if (whole > 0) return true
    calls.push(reading === 'name' ? cut : { ...cut, arguments: cut.arguments + pending })
    return false
  }
}

/** A call that was cut before its arguments. */
function nameOfCut(pending: string): { name: string; arguments: string } {
  const name = /^\n\{"name": "((?:[^"\\]|\\.)*)/.exec(pending)?.[1] ?? ''
  return { name, arguments: '{' }
}
