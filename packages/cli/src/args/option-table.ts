/** An option of the contract, in this version or a later one. */
export interface OptionRow {
  readonly name: string
  /** Heading under which the help shows it. */
  readonly group: 'harness' | 'task' | 'model' | 'tools' | 'limits' | 'bench' | 'output' | 'config'
  /** What the value is; without it the option is a switch. */
  readonly value?: string
  readonly text: string
  /** May be given several times. */
  readonly repeats?: true
  /** Commands that take it. Default: every command. */
  readonly commands?: readonly string[]
  /** Set when it is not in this version: what brings it. */
  readonly comesWith?: string
}

const TASK_COMMANDS = ['run', 'chat', 'compose'] as const
const COMPOSERS = ['run', 'compose'] as const
const RUN = ['run', 'chat'] as const
const RUNS = ['run', 'resume', 'chat'] as const
const LEARNS = ['stream', 'evolve', 'bank'] as const
const MEASURES = ['bench', ...LEARNS] as const
const LATER_CLI = 'harnesswright (a later version)'
const BENCH = '@harnesswright/plugin-bench (a later version)'

/** Every option, in the order of the help. */
export const OPTIONS: readonly OptionRow[] = [
  { name: 'manifest', group: 'harness', value: '<file>', text: 'Run this manifest', commands: RUN },
  {
    name: 'seed',
    group: 'harness',
    value: '<scaffold>',
    text: 'Run the harness of a seed (see "seeds")',
    commands: RUN,
  },
  { name: 'compose', group: 'harness', text: 'Compose a harness for the task (the default)', commands: RUN },
  { name: 'explain', group: 'harness', text: 'Say why this harness', commands: TASK_COMMANDS },
  { name: 'schema', group: 'harness', text: 'Write .harnesswright/manifest.schema.json', commands: ['catalog'] },
  { name: 'install', group: 'harness', text: 'Install the packages of a manifest', comesWith: LATER_CLI },
  {
    name: 'n',
    group: 'harness',
    value: '<number>',
    text: 'Manifests that are proposed, 1 to 8 (default: 3 of a model, 1 of the rules)',
    commands: COMPOSERS,
  },
  {
    name: 'select',
    group: 'harness',
    value: '<how>',
    text: 'How one of several is chosen: first-valid (the default), judge, logprob, diverse',
    commands: COMPOSERS,
  },
  { name: 'write', group: 'harness', text: 'Write the mended manifest into its file', commands: ['repair'] },
  {
    name: 'slot',
    group: 'harness',
    value: '<slot>',
    text: 'Slot of the module: memory (the default), planning, capability, action',
    commands: ['create'],
  },
  {
    name: 'check',
    group: 'harness',
    text: 'Write nothing, and end with 1 where the file differs',
    commands: ['describe', 'lock'],
  },
  {
    name: 'answer',
    group: 'harness',
    value: '<id>=<value>',
    text: 'Answer a question for which the run waits; once for each',
    repeats: true,
    commands: ['resume'],
  },
  {
    name: 'resume',
    group: 'harness',
    value: '<chat>',
    text: 'Go on with a chat, which says its id when it ends',
    commands: ['chat'],
  },

  {
    name: 'task-file',
    group: 'task',
    value: '<file>',
    text: 'Take the task from a file: text, or a Task as JSON',
    commands: TASK_COMMANDS,
  },
  {
    name: 'world',
    group: 'task',
    value: '<name[:size]>',
    text: 'Take a generated task with real files and a checker: quotes, long-log, lookup-chain, wide-search; small, large',
    commands: TASK_COMMANDS,
  },

  {
    name: 'model',
    group: 'model',
    value: '<name>',
    text: 'The model: sim-mid, ollama:<model>, openai:<model>, llama:<name or .gguf file>, … (see "models"); of "conformance" its name at the endpoint',
    commands: [...TASK_COMMANDS, 'resume', 'repair', 'conformance', ...MEASURES],
  },
  {
    name: 'allow-other-model',
    group: 'model',
    text: 'Go on with another model than the one with which the run or the chat began',
    commands: ['resume', 'chat'],
  },
  { name: 'real-time', group: 'model', text: 'Let simulated latency take real time', commands: RUN },
  {
    name: 'meta-model',
    group: 'model',
    value: '<name>',
    text: 'A model that composes the harness, or mends it (default: rules do)',
    commands: [...TASK_COMMANDS, 'repair'],
  },
  {
    name: 'port',
    group: 'model',
    value: '<number>',
    text: 'Port of "sim serve" (default: any that is free)',
    commands: ['sim'],
  },
  {
    name: 'download',
    group: 'model',
    text: 'Download the file of llama:<name>, where it is not there',
    commands: [...TASK_COMMANDS, 'resume', 'repair', ...MEASURES],
  },
  {
    name: 'accept-license',
    group: 'model',
    value: '<name>',
    text: 'Accept the terms of that name, such as gemma, of such a file',
    repeats: true,
    commands: [...TASK_COMMANDS, 'resume', 'repair', ...MEASURES],
  },

  {
    name: 'workspace',
    group: 'tools',
    value: '<dir>',
    text: 'Directory that the tools work in (default: a new one)',
    commands: RUNS,
  },
  {
    name: 'allow-project-files',
    group: 'tools',
    text: 'Let tools reach dot-files, node_modules, lock files and configuration of --workspace',
    commands: RUNS,
  },
  { name: 'tools', group: 'tools', value: '<list>', text: 'Tools to offer', comesWith: LATER_CLI },
  {
    name: 'mcp',
    group: 'tools',
    value: '<command or url>',
    text: 'Tools of an MCP server',
    comesWith: '@harnesswright/plugin-tools-mcp',
  },
  { name: 'allow-commands', group: 'tools', text: 'Let task files run commands', comesWith: BENCH },

  {
    name: 'limit',
    group: 'limits',
    value: '<list>',
    text: 'Most steps, tokens, USD and ms: steps=40,tokens=200000,usd=0.5,ms=120000; of "resume" lower than before; of "chat" over all turns; of "bench" for each run',
    commands: [...TASK_COMMANDS, 'resume', 'repair', ...MEASURES],
  },
  {
    name: 'rng',
    group: 'limits',
    value: '<integer>',
    text: 'The random seed (default 1)',
    commands: [...TASK_COMMANDS, ...LEARNS],
  },

  {
    name: 'harness',
    group: 'bench',
    value: '<list>',
    text: 'Harnesses to compare, choose from or cross with: scaffolds, manifest files, or all (the default): every installed seed',
    commands: ['bench', 'stream', 'evolve'],
  },
  {
    name: 'worlds',
    group: 'bench',
    value: '<list>',
    text: 'Worlds: <name[:size]>, or all (the default of "bench"): every world, small and large',
    commands: MEASURES,
  },
  {
    name: 'rngs',
    group: 'bench',
    value: '<number>',
    text: 'Tasks of each world: those of random seeds 1 to this (default 10; of "stream" and "evolve" 12), of "bank race" as many new ones (default: pairs and 4)',
    commands: MEASURES,
  },
  {
    name: 'concurrency',
    group: 'bench',
    value: '<number>',
    text: 'Runs under way at once (default 4)',
    commands: MEASURES,
  },
  { name: 'data', group: 'bench', value: '<dir>', text: 'Where the data of suites is', comesWith: BENCH },
  { name: 'repeats', group: 'bench', value: '<number>', text: 'Runs of each task', comesWith: BENCH },
  {
    name: 'budget',
    group: 'bench',
    value: '<list>',
    text: 'Most tokens and USD of all runs together: tokens=5000000,usd=2',
    commands: LEARNS,
  },
  { name: 'orders', group: 'bench', value: '<number>', text: 'Orders of the tasks (default 10)', commands: ['stream'] },
  {
    name: 'bank',
    group: 'bench',
    value: '<dir>',
    text: 'Directory of a bank (default of "bank": bank in the home); of "stream": evidence to begin with, and where what was learned is added; of "evolve": where what was kept is added; of "run" and "compose": what is composed from, and where the run is remembered',
    commands: [...LEARNS, ...COMPOSERS],
  },
  {
    name: 'pairs',
    group: 'bench',
    value: '<number>',
    text: 'Of "bank race": tasks on which it is decided, once (default 20)',
    commands: ['bank'],
  },
  {
    name: 'rule',
    group: 'bench',
    value: '<name>',
    text: 'Of "bank race": conservative (the default), or paper, to compare it with',
    commands: ['bank'],
  },
  {
    name: 'older-than',
    group: 'bench',
    value: '<days>',
    text: 'Of "bank prune": drop runs that are older too',
    commands: ['bank'],
  },
  {
    name: 'verifier',
    group: 'bench',
    value: '<name>',
    text: 'Who says what an answer is worth: check (the default), or person, on the terminal',
    commands: ['stream'],
  },
  {
    name: 'parent',
    group: 'bench',
    value: '<name>',
    text: 'Scaffold or manifest file to begin with (default: react)',
    commands: ['evolve'],
  },
  { name: 'proposals', group: 'bench', value: '<number>', text: 'Most proposals (default 24)', commands: ['evolve'] },
  {
    name: 'samples',
    group: 'bench',
    value: '<number>',
    text: 'Most runs of the parent on each test task, of which the best counts (default 16)',
    commands: ['evolve'],
  },
  {
    name: 'test-rngs',
    group: 'bench',
    value: '<number>',
    text: 'Test tasks of each world (default 24), whose random seeds no training task has',
    commands: ['evolve'],
  },
  { name: 'train-tasks', group: 'bench', value: '<file>', text: 'Tasks that the search sees', commands: ['evolve'] },
  { name: 'test-tasks', group: 'bench', value: '<file>', text: 'Tasks that it never sees', commands: ['evolve'] },
  {
    name: 'out',
    group: 'bench',
    value: '<dir>',
    text: 'Where results go; what was ended is gone on with; of "bank export" the file',
    commands: MEASURES,
  },

  { name: 'json', group: 'output', text: 'Print one JSON object on standard output' },
  { name: 'quiet', group: 'output', text: 'No progress' },
  { name: 'verbose', group: 'output', text: 'Every event; causes and stacks of errors' },
  {
    name: 'trace',
    group: 'output',
    value: '<file.jsonl>',
    text: 'Write the events of the run to this file too',
    commands: RUNS,
  },
  { name: 'no-color', group: 'output', text: 'No colour and no moving line (as NO_COLOR)' },
  { name: 'help', group: 'output', text: 'Say how to use a command (also -h)' },
  { name: 'version', group: 'output', text: 'Print the version' },

  {
    name: 'config',
    group: 'config',
    value: '<file>',
    text: 'Configuration (default: harnesswright.config.json or .mjs here)',
  },
  { name: 'no-config', group: 'config', text: 'Read no configuration' },
  { name: 'trust-config', group: 'config', text: 'Run a harnesswright.config.mjs without asking' },
]
