// The floor: a hand-written loop on the fetch of Node.js.
import { fetchChat, streamFields } from './fetch-chat.mjs'
import { loop, WIRE_TOOLS } from './task.mjs'

export async function load() {}

export async function setup({ baseUrl, steps, isStream }) {
  const ask = async (messages) => {
    const body = { model: `mock-${steps}`, messages, tools: WIRE_TOOLS, ...streamFields(isStream) }
    return (await fetchChat(baseUrl, body)).message
  }
  return () => loop(ask)
}
