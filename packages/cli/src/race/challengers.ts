import type { Manifest } from '@harnesswright/core'
import { HarnessError, problemsError } from '@harnesswright/core'
import type { Bank, HarnessEntry } from '@harnesswright/plugin-bank'
import { harnessRow } from '../bank/harness-row.js'
import { cliError } from '../errors/cli-error.js'
import { readNamedManifest } from '../evolve/named-manifest.js'
import type { SetUp } from '../stream/set-up.js'
import { shortId, shownName } from '../text/format.js'

/** Finds the harnesses of a list, manifest files or harnesses of the bank, and adds to the bank what it does not have. */
export async function challengersOf(
  list: string,
  bank: Bank,
  set: Pick<SetUp, 'packages' | 'io'>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const word of list.split(',')) {
    const id = word.endsWith('.json') ? await addFile(word, bank, set) : (await bank.harness(word)).id
    if (ids.includes(id)) throw namedTwice(word)
    ids.push(id)
  }
  for (const id of ids) await readableManifest(await bank.harness(id), set)
  return ids
}

/**
 * The manifest of a harness of a bank, valid with what is installed, and still the same harness.
 *
 * @throws HarnessError `E_MANIFEST_*` where it is not valid, `E_CLI_OPTION` where its packages have changed.
 */
export async function readableManifest(
  { id, name, manifest: stored }: Pick<HarnessEntry, 'id' | 'name' | 'manifest'>,
  { packages }: Pick<SetUp, 'packages'>,
): Promise<Manifest> {
  const { manifest, problems } = await packages.catalog.read(JSON.stringify(stored), { origin: 'bank' })
  if (manifest === undefined) throw unreadable({ id, name }, problemsError(problems))
  if ((await packages.catalog.identify(manifest)).harnessId === id) return manifest
  throw cliError('E_CLI_OPTION', {
    message: `The harness ${JSON.stringify(shownName(name))} was made with other versions of its packages: as they are installed now it is another one.`,
    where: id,
    expected: 'the packages that it was made with',
    fix: `Install them again, or write its manifest to a file, from "harnesswright bank show ${id.replace(/^sha256:/, '').slice(0, 12)}", and let that race.`,
  })
}

/** An error about a manifest of a bank, which says whose manifest it is: who races did not name it perhaps. */
function unreadable(
  { id, name }: Pick<HarnessEntry, 'id' | 'name'>,
  { code, message, hint, details }: HarnessError,
): Error {
  const whose = `The harness ${JSON.stringify(shownName(name))} (${shortId(id)}) is not valid in a bank with what is installed.`
  return new HarnessError(code, { message: `${whose} ${message}`, hint, details: { ...details, where: id } })
}

/** What may not race is not added. */
async function addFile(word: string, bank: Bank, { packages, io }: Pick<SetUp, 'packages' | 'io'>): Promise<string> {
  const places = { packages, cwd: io.cwd, where: 'bank race' }
  const { manifest, harnessId } = await readNamedManifest(word, places)
  const row = harnessRow({ id: harnessId, name: manifest.name, manifest, operator: 'generate', createdBy: 'person' })
  await readableManifest(row, { packages })
  if (!(await bank.harnesses()).some(({ id }) => id === harnessId)) await bank.addHarnesses([row])
  return harnessId
}

function namedTwice(word: string): Error {
  return cliError('E_CLI_OPTION', {
    message: `${JSON.stringify(word)} is named twice, or under two names.`,
    where: 'harnesswright bank race',
    expected: 'each harness once',
    fix: 'Leave it out once.',
  })
}
