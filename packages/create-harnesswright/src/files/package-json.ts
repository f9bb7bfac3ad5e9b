import type { NewPackage } from '../read-request.js'
import { OWN_RANGE, TOOL_RANGES, ZOD_RANGE } from '../versions.js'

/** The package.json of a new package. */
export function packageJson(made: NewPackage): object {
  const { kind, name } = made
  const isSeed = kind === 'seed'
  const data = ['harnesswright.json', ...(isSeed ? ['manifest.json', 'CARD.md'] : [])]
  return {
    name,
    version: '0.1.0',
    description: describe(made),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19.0' },
    keywords: ['harnesswright', 'harnesswright-plugin', ...(isSeed ? ['harnesswright-seed'] : []), 'agent', 'harness'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      ...Object.fromEntries([...data, 'package.json'].map((file) => [`./${file}`, `./${file}`])),
    },
    files: ['dist', ...data],
    scripts: {
      build: 'tsc -p tsconfig.build.json && harnesswright describe',
      describe: 'harnesswright describe',
      pretest: 'npm run build',
      test: 'tsc && vitest run --testTimeout=60000', // the kit runs whole harnesses, on slow machines too
      prepack: 'tsc -p tsconfig.build.json && harnesswright describe --check',
    },
    dependencies: { zod: ZOD_RANGE },
    peerDependencies: { '@harnesswright/core': OWN_RANGE },
    devDependencies: { '@harnesswright/core': OWN_RANGE, harnesswright: OWN_RANGE, ...TOOL_RANGES },
    publishConfig: { access: 'public' },
    harnesswright: { authority: 'none' },
  }
}

function describe({ kind, parts, short }: NewPackage): string {
  if (kind === 'seed') return `${short}: a harness for Harnesswright, with a module for every slot`
  return `${short}: ${kind === 'plugin' ? 'a plugin' : `a module for the slot ${parts.join()}`} of Harnesswright`
}
