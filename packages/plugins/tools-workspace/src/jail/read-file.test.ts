import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchCode } from '../../test/thrown.js'
import { parseLimits } from '../limits.js'
import { type Hold, openPlace, type Place } from './place.js'
import { openReader } from './read-file.js'

const HOLDS: readonly Hold[] = process.platform === 'linux' ? ['descriptors', 'checks'] : ['checks']

/** A workspace with two folders of two files, and how often it was opened. */
function aPlace(hold: Hold): { readonly root: string; readonly place: Place; readonly opened: () => number } {
  const root = makeTemporaryDirectory()
  for (const folder of ['a', 'b']) {
    mkdirSync(join(root, folder))
    for (const name of ['one', 'two']) writeFileSync(join(root, folder, name), `${folder} ${name}`)
  }
  const place = openPlace(root, { limits: parseLimits(), protectProjectFiles: true, hold })
  let opened = 0
  const counting: Place = {
    ...place,
    open() {
      opened += 1
      return place.open()
    },
  }
  return { root, place: counting, opened: () => opened }
}

describe.each(HOLDS)('a reader that holds folders by %s', (hold) => {
  const reading = (place: Place) => {
    const reader = openReader(place)
    return { ...reader, text: (path: string) => reader.read(path, 100).bytes.toString() }
  }

  test('opens the folder of files that are read one after another once', () => {
    const { place, opened } = aPlace(hold)
    const { text, close } = reading(place)

    expect(['a/one', 'a/two', 'b/one', 'b/two', 'a/one'].map(text)).toEqual([
      'a one',
      'a two',
      'b one',
      'b two',
      'a one',
    ])
    expect(opened()).toBe(3)
    close()
  })

  test('sees what became of the folder between two files', async () => {
    const { root, place } = aPlace(hold)
    const { text, close } = reading(place)

    expect(text('a/one')).toBe('a one')
    renameSync(join(root, 'a'), join(root, 'c'))
    expect(await catchCode(() => text('a/two'))).toBe('E_WORKSPACE_MISSING')
    renameSync(join(root, 'b'), join(root, 'a'))
    expect(text('a/two')).toBe('b two')
    rmSync(join(root, 'a'), { recursive: true })
    symlinkSync(join(root, 'c'), join(root, 'a'))
    expect(await catchCode(() => text('a/one'))).toBe('E_WORKSPACE_LINK')
    close()
  })

  test('refuses names that are protected, also beside a file that was read', async () => {
    const { root, place } = aPlace(hold)
    const { text, close } = reading(place)
    writeFileSync(join(root, 'a', '.env'), 'secret')

    expect(text('a/one')).toBe('a one')
    expect(await catchCode(() => text('a/.env'))).toBe('E_WORKSPACE_PROTECTED')
    close()
  })

  test('goes on after a file that is not there or too large', async () => {
    const { root, place } = aPlace(hold)
    const { text, close } = reading(place)
    writeFileSync(join(root, 'a', 'large'), 'x'.repeat(101))

    expect(text('a/one')).toBe('a one')
    expect(await catchCode(() => text('a/none'))).toBe('E_WORKSPACE_MISSING')
    expect(await catchCode(() => text('a/large'))).toBe('E_WORKSPACE_LIMIT')
    expect(text('a/two')).toBe('a two')
    close()
  })

  test.runIf(process.platform === 'linux')('lets go of every folder', async () => {
    const { place } = aPlace(hold)
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 20; round++) {
      const { text, close } = reading(place)
      expect(['a/one', 'b/one'].map(text)).toEqual(['a one', 'b one'])
      for (const path of ['a/none', 'none/one']) expect(await catchCode(() => text(path))).toBe('E_WORKSPACE_MISSING')
      close()
      close()
    }

    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 20) // other tests open files too
  })
})
