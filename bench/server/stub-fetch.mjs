import { answerTo } from './answers.mjs'

/** Answers in process what would go to the endpoint: the same bytes without sockets, so that what is left is the loop. */
export function installStubFetch() {
  globalThis.fetch = async (input, init) => {
    const body = init?.body ?? (input instanceof Request ? await input.text() : '')
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(await new Response(body).arrayBuffer())
    const answer = answerTo(bytes)
    return new Response(answer.body, { headers: { 'content-type': answer.contentType } })
  }
}
