import { type HarnessError, isHarnessError } from '@harnesswright/core'

/** The coded error that the work throws or rejects with. */
export async function catchError(work: () => unknown): Promise<HarnessError> {
  try {
    await work()
  } catch (error) {
    if (isHarnessError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The code of that error. */
export async function catchCode(work: () => unknown): Promise<string> {
  return (await catchError(work)).code
}
