/** A command of the contract, in this version or a later one. */
export interface CommandRow {
  readonly name: string
  /** What stands after the name. */
  readonly usage: string
  readonly text: string
  /** What may stand in the place of its first word, and what that does. */
  readonly actions?: readonly (readonly [usage: string, text: string])[]
  /** Set when it is not in this version: what brings it. */
  readonly comesWith?: string
  /** Left out of the help. */
  readonly hidden?: true
}

const BENCH = '@harnesswright/plugin-bench (a later version)'

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandRow[] = [
  { name: 'run', usage: '[task]', text: 'Compose or take a harness, run the task, print the answer' },
  {
    name: 'resume',
    usage: '<snapshot>',
    text: 'Go on with a run that was interrupted, that failed, or that waits for a person',
  },
  { name: 'chat', usage: '[message]', text: 'Take several turns with one harness' },
  { name: 'compose', usage: '[task]', text: 'Print the manifest that would run; --explain says why' },
  { name: 'validate', usage: '<manifest>', text: 'Say every problem of a manifest at once' },
  { name: 'repair', usage: '<manifest>', text: 'Mend what is wrong with the slots of a manifest, and print it' },
  { name: 'diff', usage: '<a> <b>', text: 'Say how two manifests differ; each is a scaffold or a file' },
  { name: 'seeds', usage: '', text: 'List the installed scaffolds' },
  { name: 'catalog', usage: '', text: 'List the installed modules with their options; --schema writes a JSON Schema' },
  { name: 'models', usage: '', text: 'List the models that can be used' },
  { name: 'doctor', usage: '', text: 'Say what works on this computer and what is missing' },
  {
    name: 'conformance',
    usage: '[endpoint | package]',
    text: 'Check an endpoint, a package, or the built-in harness, which meet scripted faults',
  },
  {
    name: 'bench',
    usage: 'worlds | resume | compare',
    text: 'Measure harnesses on the worlds, and compare them',
  },
  {
    name: 'stream',
    usage: '[tasks.jsonl]',
    text: 'Do tasks one after another, and learn which harness to take for which kind',
  },
  {
    name: 'evolve',
    usage: '',
    text: 'Look for a better harness, and say what it is worth on tasks that were not seen',
  },
  { name: 'create', usage: '<kind> <name>', text: 'Write a package, ready to publish: module, seed or plugin' },
  { name: 'describe', usage: '[directory]', text: 'Write harnesswright.json of a package from its code' },
  { name: 'lock', usage: '<manifest>', text: 'Fill in the ranges of packages, and pin versions and hashes beside it' },
  { name: 'sim', usage: 'serve', text: 'Serve the simulated models over HTTP on this computer' },
  { name: 'start', usage: '', text: 'Run two small tasks on the simulated model', hidden: true },
  { name: 'report', usage: '<dir>', text: 'Write the report of a bench', comesWith: BENCH },
  { name: 'trace', usage: '<file>', text: 'Look at the trace of a run', comesWith: BENCH },
  {
    name: 'bank',
    usage: 'ls | show | why | race | …',
    text: 'What is remembered of harnesses: also export, import, rebuild, prune',
    actions: [
      ['ls', 'List the harnesses, with what they came to'],
      ['show <harness>', 'Tell what is known of one'],
      ['why <harness>', 'Tell what was decided about it'],
      ['race <list> [tasks.jsonl]', 'Decide who is champion, on tasks of a file or of --worlds'],
      ['export', 'Write all that was remembered, to take it elsewhere'],
      ['import <file>', 'Add what another bank exported'],
      ['rebuild', 'Make the index anew'],
      ['prune', 'Drop what is not needed any more'],
    ],
  },
  {
    name: 'train',
    usage: 'collect | export | policy | eval | serve-rewards',
    text: 'Train the composer',
    comesWith: '@harnesswright/plugin-training',
  },
]
