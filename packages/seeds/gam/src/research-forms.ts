import type { JsonSchema } from '@harnesswright/core'

/** Most things that a plan or a follow-up asks for, of each kind. */
const MOST = 5

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT, maxItems: MOST } as const
const IDS = { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: MOST } as const

function form(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Ways to retrieve pages. */
const WAYS = ['keyword', 'vector', 'page_index'] as const

/** The shapes in which each part of a research is asked for. */
export const FORMS = {
  plan: form('research_plan', {
    info_needs: { ...TEXTS, description: 'What has to be known.' },
    tools: { type: 'array', items: { enum: WAYS }, description: 'How to look for it.' },
    keyword_collection: { ...TEXTS, description: 'Words to look for.' },
    vector_queries: { ...TEXTS, description: 'What is looked for, in a sentence each.' },
    page_index: { ...IDS, description: 'Pages to open.' },
  }),
  integrate: form('research_integrate', {
    content: { ...TEXT, description: 'All that is known and of use, the memory so far included.' },
    sources: { ...IDS, description: 'Pages that it rests on.' },
  }),
  check: form('research_check', { enough: { type: 'boolean' } }),
  followUp: form('research_follow_up', { new_requests: { ...TEXTS, description: 'What is still to be looked for.' } }),
} as const

/** What a research looks for. */
export interface Plan {
  readonly needs: readonly string[]
  /** What is searched by its words. */
  readonly queries: readonly string[]
  readonly pages: readonly number[]
}

/** The plan in a reply. Ways that it does not name are not gone; where it names none, all are. Undefined where it holds none. */
export function readPlan(text: string): Plan | undefined {
  const fields = fieldsOf(text)
  if (fields === undefined) return undefined
  const named = textsOf(fields['tools'])
  const uses = (way: (typeof WAYS)[number]): boolean => named.length === 0 || named.includes(way)
  const keywords = uses('keyword') ? textsOf(fields['keyword_collection']) : []
  const sentences = uses('vector') ? textsOf(fields['vector_queries']) : []
  const { page_index: pages } = fields
  return {
    needs: textsOf(fields['info_needs']),
    queries: [...keywords, ...sentences],
    pages:
      uses('page_index') && Array.isArray(pages) ? pages.map(Number).filter(Number.isSafeInteger).slice(0, MOST) : [],
  }
}

/** The text of an integration; empty where it holds none. */
export function readIntegration(text: string): string {
  const content = fieldsOf(text)?.['content']
  return typeof content === 'string' ? content.trim() : ''
}

/** True unless a reply says that it is not enough: what cannot be read ends a research. */
export function readCheck(text: string): boolean {
  return fieldsOf(text)?.['enough'] !== false
}

/** What is still to be looked for. */
export function readFollowUp(text: string): readonly string[] {
  return textsOf(fieldsOf(text)?.['new_requests'])
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : [])).slice(0, MOST)
}
