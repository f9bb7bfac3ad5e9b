import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isModelProbe, type ProbeStore } from '@harnesswright/plugin-meta-agent'
import { makeDirectory } from '../make-directory.js'

/** Largest file that is read, in characters. */
const MAX_CHARS = 10_000

/**
 * What models were seen to follow, a file each below `HARNESSWRIGHT_HOME/probes`. The address of a model is part of its name,
 * as two endpoints may have different models of one name. A file that is not as it must be is as good as none.
 */
export function createProbeStore(home: string, address = ''): ProbeStore {
  const folder = join(home, 'probes')
  const fileOf = (model: string): string => {
    const name = createHash('sha256')
      .update(JSON.stringify([model, address]))
      .digest('hex')
      .slice(0, 24)
    return join(folder, `${name}.json`)
  }
  return {
    get(model) {
      const file = fileOf(model)
      const probe = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined
      return isModelProbe(probe) && probe.model === model ? probe : undefined
    },
    set(probe) {
      makeDirectory(folder, 0o700)
      const [file, next] = [fileOf(probe.model), join(folder, `${randomUUID()}.next`)]
      writeFileSync(next, `${JSON.stringify(probe)}\n`, { mode: 0o600 })
      renameSync(next, file)
    },
  }
}

function parse(text: string): unknown {
  if (text.length > MAX_CHARS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
