import type { NewPackage } from '../read-request.js'

const SEED_USE = (name: string): string => `Its harness runs once it is a dependency of a project:

\`\`\`sh
npm install ${name} harnesswright
npx harnesswright seeds
npx harnesswright run --world quotes --seed <scaffold>
\`\`\`
`

/** The README.md of a new package. */
export function readme(made: NewPackage): string {
  const { kind, name, short, parts } = made
  const use =
    kind === 'seed'
      ? SEED_USE(name).replace('<scaffold>', short)
      : `A manifest names it, once it is a dependency of the project:\n\n\`\`\`json\n${manifestLines(made)}\n\`\`\`\n`
  return `# ${name}

${summaryOf(made)}

${use}
## Work on it

\`\`\`sh
npm install
npm run build   # compiles, and writes harnesswright.json from the code
npm test        # builds, checks the types, runs the conformance kit and the tests of what ${parts.length > 1 ? 'the modules do' : 'it does'}
npm pack        # refuses when harnesswright.json differs from the code
\`\`\`

\`harnesswright.json\` says what modules, options and prompts the package has. It is read before any code is: commit it.
\`harnesswright.authority\` in package.json says what the package reaches beyond its state and the model: \`none\`, \`workspace\`,
\`network\` or \`process\`.

Before you publish, choose a license and write it into package.json.
`
}

function summaryOf({ kind, parts }: NewPackage): string {
  if (kind === 'seed')
    return 'A harness for [Harnesswright](https://github.com/harnesswright/harnesswright): [CARD.md](./CARD.md) says when to pick it.'
  const what = kind === 'plugin' ? 'A plugin' : `A module for the slot \`${parts.join()}\``
  return `${what} of [Harnesswright](https://github.com/harnesswright/harnesswright).`
}

function manifestLines({ kind, name, parts }: NewPackage): string {
  const use = parts.map((part) => `{ "use": "${name}#${part}" }`).join()
  return `"packages": { "${name}": "^0.1.0" },\n${kind === 'plugin' ? `"plugins": [${use}]` : `"${parts.join()}": ${use}`}`
}
