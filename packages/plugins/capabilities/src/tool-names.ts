import * as z from 'zod'

/** Most tools that one option names. */
const MOST_NAMES = 64

/** An option that names tools of the environment. */
export const toolNames = z.array(z.string().min(1).max(200)).max(MOST_NAMES)
