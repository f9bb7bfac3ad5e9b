import type { Tool } from './tool.js'

/** Know-how in text: what to do, not a function to call. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly text: string
}

/** Whether the model may, must or must not call a tool, or which. */
export type Choice = 'auto' | 'none' | 'required' | { readonly tool: string }

/**
 * C_t, the capabilities: an ordered set of tools and skills for this step.
 *
 * @see arXiv 2608.25593, C_t = F(d_t)
 */
export interface Capabilities {
  /** Of the environment first, then those that modules bring (`owner` tells them apart). */
  readonly tools: readonly Tool[]
  readonly skills: readonly Skill[]
  /** Default `auto`. */
  readonly choice?: Choice
}
