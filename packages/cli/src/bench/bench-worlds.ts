import { nearestNames } from '@harnesswright/core'
import { worlds } from '@harnesswright/plugin-worlds'
import { cliError } from '../errors/cli-error.js'

/**
 * The worlds of `--worlds`, each with its size: `all` for every world in every size, or a list of `<name[:size]>`, small where
 * no size is named. One that is named twice is there once: its tasks are no further evidence.
 *
 * @throws HarnessError `E_CLI_OPTION` for a world or a size that is not there.
 */
export function benchedWorlds(list: string): readonly string[] {
  return [...new Set(list.split(',').flatMap((spec) => (spec === 'all' ? everyWorld() : ofSpec(spec))))]
}

function everyWorld(): readonly string[] {
  return worlds.flatMap(({ name, sizes }) => sizes.map((size) => `${name}:${size}`))
}

function ofSpec(spec: string): string {
  const [name = '', size = 'small', ...more] = spec.split(':')
  const world = worlds.find((one) => one.name === name)
  if (world === undefined) throw noWorld(name)
  const { sizes } = world
  if (more.length === 0 && (sizes as readonly string[]).includes(size)) return `${name}:${size}`
  throw cliError('E_CLI_OPTION', {
    message: `${JSON.stringify(spec)} is no world with a size.`,
    where: '--worlds',
    expected: `all, or worlds such as ${sizes.map((one) => `${name}:${one}`).join(' and ')}, with commas between them`,
    fix: `Write --worlds ${name}:${sizes[0]}.`,
  })
}

function noWorld(name: string): Error {
  const names = worlds.map((world) => world.name)
  const [nearest = ''] = nearestNames(name, names)
  return cliError('E_CLI_OPTION', {
    message: `There is no world ${JSON.stringify(name)}.`,
    where: '--worlds',
    expected: `all, or some of ${names.join(', ')}; nearest: ${nearest}`,
    fix: `Write --worlds ${nearest}.`,
  })
}
