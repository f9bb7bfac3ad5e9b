import { CreateError } from './create-error.js'
import type { Kind } from './kinds.js'

/** The names of a new package. */
export interface PackageNames {
  /** Name under which it is published. */
  readonly name: string
  /** The part that is the author's: title, and name of a seed's harness. */
  readonly short: string
  /** Folder that is made for it. */
  readonly folder: string
}

/** Longest name, in characters; a registry takes 214. */
const MAX_NAME = 100

const WORDS = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const SCOPED = /^@([a-z0-9][a-z0-9._-]*)\/harnesswright-(.+)$/
/** Names that no file may have on Windows. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The names of a package from the one that was asked for: `own-words` becomes `harnesswright-plugin-own-words`, of a seed
 * `harnesswright-seed-own-words`; that whole name and `@scope/harnesswright-own-words` stay as they are.
 *
 * @throws CreateError `E_CREATE_NAME` with the nearest name that can be used.
 */
export function packageNames(kind: Kind, asked: string): PackageNames {
  const prefix = prefixOf(kind)
  const [, scope, scopedRest] = SCOPED.exec(asked) ?? []
  const short = scopedRest ?? (asked.startsWith(prefix) ? asked.slice(prefix.length) : asked)
  const name = scopedRest === undefined ? `${prefix}${short}` : asked
  const isOwn = scope !== 'harnesswright' && !(scope === undefined && /^harnesswright(-|$)/.test(short))
  if (!WORDS.test(short) || !isOwn || RESERVED.test(short) || name.length > MAX_NAME) throw badName(kind, asked)
  return { name, short, folder: asked.replace(/^@[^/]*\//, '') }
}

function prefixOf(kind: Kind): string {
  return `harnesswright-${kind === 'seed' ? 'seed' : 'plugin'}-`
}

function badName(kind: Kind, asked: string): CreateError {
  return new CreateError('E_CREATE_NAME', {
    message: `No package can have the name ${JSON.stringify(asked.slice(0, 200))}.`,
    where: 'the name of the package',
    expected: `small letters, digits and single dashes, at most ${MAX_NAME} characters, such as own-words, ${prefixOf(kind)}own-words or @you/harnesswright-own-words; the scope @harnesswright is taken`,
    fix: `Write "${nearestName(kind, asked)}".`,
  })
}

/** A name that can be used and has the letters of the one that was asked for. */
function nearestName(kind: Kind, asked: string): string {
  const [, scope, rest] = /^@([a-z0-9][a-z0-9._-]*)\/(.*)$/.exec(asked) ?? []
  const words = (rest ?? asked)
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-+$/, '')
    .replace(/^([-0-9]|harnesswright(-(plugin|seed))?(-|$))+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  const short = words === '' || RESERVED.test(words) ? `my-${words || kind}` : words
  return scope === undefined || scope === 'harnesswright'
    ? `${prefixOf(kind)}${short}`
    : `@${scope}/harnesswright-${short}`
}
