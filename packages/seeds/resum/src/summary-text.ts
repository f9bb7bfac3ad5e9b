/** Thoughts that a model writes into its text, closed or cut off by the end. */
const THOUGHT = /<(think|thinking)>[\s\S]*?(?:<\/\1>|$)/gi

const TAGGED = /<summary>([\s\S]*?)(?:<\/summary>|$)/i

/** The summary in a reply: what stands between its tags, else all of it, without thoughts. Empty when there is none. */
export function readSummary(reply: string): string {
  const said = reply.replace(THOUGHT, ' ') // a space, so that no new tag comes about
  return (TAGGED.exec(said)?.[1] ?? said).replace(/<\/?summary>/gi, ' ').trim()
}
