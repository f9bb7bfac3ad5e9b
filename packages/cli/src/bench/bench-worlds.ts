import { findWorld, worlds } from '@harnesswright/plugin-worlds'
import { cliError } from '../errors/cli-error.js'

/**
 * The worlds of `--worlds`, each with its size: `all` for every world in every size, or a list of `<name[:size]>`, small where
 * no size is named.
 *
 * @throws HarnessError `E_WORLDS_UNKNOWN` for a world, `E_CLI_OPTION` for a size.
 */
export function benchedWorlds(list: string): readonly string[] {
  return list.split(',').flatMap((spec) => (spec === 'all' ? everyWorld() : ofSpec(spec)))
}

function everyWorld(): readonly string[] {
  return worlds.flatMap(({ name, sizes }) => sizes.map((size) => `${name}:${size}`))
}

function ofSpec(spec: string): string {
  const [name = '', size = 'small', ...more] = spec.split(':')
  const { sizes } = findWorld(name)
  if (more.length === 0 && (sizes as readonly string[]).includes(size)) return `${name}:${size}`
  throw cliError('E_CLI_OPTION', {
    message: `${JSON.stringify(spec)} is no world with a size.`,
    where: '--worlds',
    expected: `all, or worlds such as ${sizes.map((one) => `${name}:${one}`).join(' and ')}, with commas between them`,
    fix: `Write --worlds ${name}:${sizes[0]}.`,
  })
}
