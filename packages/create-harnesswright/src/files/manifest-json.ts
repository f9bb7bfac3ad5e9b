import type { NewPackage } from '../read-request.js'
import { OWN_RANGE } from '../versions.js'

/** The manifest of a new seed: its own module in every slot. */
export function manifestJson({ name, short, parts }: NewPackage): object {
  return {
    protocol: 1,
    name: short,
    description: 'Reason and act, with old steps as notes, the task repeated and changes made late.',
    packages: { [name]: OWN_RANGE },
    ...Object.fromEntries(parts.map((part) => [part, { use: `${name}#${part}` }])),
  }
}
