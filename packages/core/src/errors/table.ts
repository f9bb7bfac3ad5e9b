/** The stable code of an error of core: never renamed, never reused. Plugins have codes of their own. */
export type ErrorCode =
  | 'E_MANIFEST_JSON'
  | 'E_MANIFEST_SIZE'
  | 'E_MANIFEST_DUPLICATE_KEY'
  | 'E_MANIFEST_FORBIDDEN_KEY'
  | 'E_MANIFEST_MISSING'
  | 'E_MANIFEST_UNKNOWN_FIELD'
  | 'E_MANIFEST_TYPE'
  | 'E_MANIFEST_PROTOCOL'
  | 'E_MANIFEST_UNKNOWN_MODULE'
  | 'E_MANIFEST_SLOT'
  | 'E_MANIFEST_OPTION'
  | 'E_MANIFEST_AUTHORITY'
  | 'E_MANIFEST_PROMPT'
  | 'E_MANIFEST_PACKAGE'
  | 'E_MANIFEST_VERSION'
  | 'E_MANIFEST_INVALID'
  | 'E_PROTOCOL_MODULE'
  | 'E_PROTOCOL_LOAD'
  | 'E_PROTOCOL_REQUIRES'
  | 'E_PROTOCOL_MODEL'
  | 'E_PROTOCOL_TOOL'
  | 'E_PROTOCOL_TAP'
  | 'E_PROTOCOL_NO_ACTION'
  | 'E_PROTOCOL_VIEW'
  | 'E_PROTOCOL_DIRECTIVE'
  | 'E_PROTOCOL_CAPABILITIES'
  | 'E_PROTOCOL_ACTION'
  | 'E_PROTOCOL_STATE'
  | 'E_PROTOCOL_VALUE'
  | 'E_RUN_MODULE'
  | 'E_RUN_PROMPT'
  | 'E_RUN_LIMIT'
  | 'E_RUN_ABORTED'
  | 'E_RUN_EMPTY_REPLY'
  | 'E_RUN_TASK'
  | 'E_RUN_UNSUPPORTED'
  | 'E_RUN_CODEGEN'
  | 'E_ENV_INVALID'
  | 'E_MODEL_UNKNOWN'
  | 'E_MODEL_AUTH'
  | 'E_MODEL_BAD_REQUEST'
  | 'E_MODEL_CONTENT_FILTER'
  | 'E_MODEL_RATE_LIMIT'
  | 'E_MODEL_OVERLOADED'
  | 'E_MODEL_TRANSPORT'
  | 'E_MODEL_TIMEOUT'
  | 'E_MODEL_CONTEXT_OVERFLOW'
  | 'E_TOOL_UNKNOWN'
  | 'E_TOOL_NOT_OFFERED'
  | 'E_TOOL_ARGUMENTS'
  | 'E_TOOL_DENIED'
  | 'E_TOOL_FAILED'
  | 'E_TOOL_TIMEOUT'
  | 'E_TOOL_LIMIT'

/** What happened, and how to mend it. */
export interface ErrorRow {
  readonly message: string
  readonly hint: string
}

/** The table of every coded error of core. `docs/errors` has one heading per code. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = {
  E_MANIFEST_JSON: {
    message: 'The text holds no JSON object that could be a manifest.',
    hint: 'Give one JSON object, alone or in one code fence; the position of the first fault is in the message.',
  },
  E_MANIFEST_SIZE: {
    message: 'The manifest is too large or too deep.',
    hint: 'A manifest has at most 256 KB and 32 levels.',
  },
  E_MANIFEST_DUPLICATE_KEY: {
    message: 'An object of the manifest has the same key twice.',
    hint: 'Keep one of the two.',
  },
  E_MANIFEST_FORBIDDEN_KEY: {
    message: 'The manifest has a key that could reach an object prototype.',
    hint: 'Remove the keys __proto__, constructor and prototype.',
  },
  E_MANIFEST_MISSING: {
    message: 'The manifest lacks a field that must be there.',
    hint: 'Name it; for memory, planning and capability the value null says none.',
  },
  E_MANIFEST_UNKNOWN_FIELD: {
    message: 'The manifest has a field that means nothing.',
    hint: 'Correct its name or remove it.',
  },
  E_MANIFEST_TYPE: {
    message: 'A field of the manifest has the wrong type or value.',
    hint: 'Give what is expected there.',
  },
  E_MANIFEST_PROTOCOL: {
    message: 'The protocol number is not one that this core speaks.',
    hint: 'Write "protocol": 1, or install the version of core that speaks the other.',
  },
  E_MANIFEST_UNKNOWN_MODULE: {
    message: 'The manifest names a module that is not installed.',
    hint: 'Use one of the nearest names, or install and register the package that has it.',
  },
  E_MANIFEST_SLOT: {
    message: 'A module stands in a slot that is not its own.',
    hint: 'Move it to its own slot, or name another module.',
  },
  E_MANIFEST_OPTION: {
    message: 'An option of a module is unknown or has a wrong value.',
    hint: "Correct it after the module's options schema.",
  },
  E_MANIFEST_AUTHORITY: {
    message: 'The manifest asks for authority that only the host can give.',
    hint: 'Set host options in the environment, the config file or on the command line, not in the manifest.',
  },
  E_MANIFEST_PROMPT: {
    message: 'A prompt override names an unknown prompt or an unknown variable.',
    hint: "Use the module's own prompt names and {{variables}}.",
  },
  E_MANIFEST_PACKAGE: {
    message: 'A package that the manifest names has no range in "packages".',
    hint: 'Add it to "packages" with a range.',
  },
  E_MANIFEST_VERSION: {
    message: 'The installed version of a package is outside the range that the manifest gives.',
    hint: 'Install a version inside the range, or widen the range.',
  },
  E_MANIFEST_INVALID: {
    message: 'The manifest has problems.',
    hint: 'Mend each problem of details.problems, then validate again.',
  },
  E_PROTOCOL_MODULE: {
    message: 'A module is not what its declaration says.',
    hint: 'Declare it with defineModule, with the verb of its slot.',
  },
  E_PROTOCOL_LOAD: {
    message: 'A package could not be loaded, or lacks an export that it describes.',
    hint: 'Reinstall it, or report the cause to its author.',
  },
  E_PROTOCOL_REQUIRES: {
    message: 'A module requires what no module of the manifest provides.',
    hint: 'Add a module that provides it.',
  },
  E_PROTOCOL_MODEL: {
    message: 'The model lacks a feature that the manifest needs.',
    hint: 'Use a model that has it, or another codec.',
  },
  E_PROTOCOL_TOOL: { message: 'Two tools have one name.', hint: 'Rename one of them, or leave one out.' },
  E_PROTOCOL_TAP: {
    message: 'A tap cannot be added as asked.',
    hint: 'Give each tap its own name, a named stage, and tap before the harness is frozen.',
  },
  E_PROTOCOL_NO_ACTION: {
    message: 'No module returned an action.',
    hint: 'The action module must return one for every step.',
  },
  E_PROTOCOL_VIEW: {
    message: 'A memory module returned a view that breaks the rules of history.',
    hint: 'Keep the head, and keep calls with their results.',
  },
  E_PROTOCOL_DIRECTIVE: {
    message: 'A planning module returned something that is no directive.',
    hint: 'Return { text } with a string.',
  },
  E_PROTOCOL_CAPABILITIES: {
    message: 'A capability module returned something that is no set of capabilities.',
    hint: 'Return { tools, skills } with tools of distinct names.',
  },
  E_PROTOCOL_ACTION: {
    message: 'An action module returned something that is no action.',
    hint: 'Return one of the action kinds, with its fields.',
  },
  E_PROTOCOL_STATE: {
    message: 'The state of a module is not plain JSON, or changed in a verb that only reads.',
    hint: 'Keep state as JSON in ctx.state; change it only in verbs that may.',
  },
  E_PROTOCOL_VALUE: {
    message: 'A tap returned null or another value that its hook does not take.',
    hint: 'Return the value of the hook, or undefined.',
  },
  E_RUN_MODULE: {
    message: 'A module or plugin threw.',
    hint: 'The cause names the fault; report it to the author of the module.',
  },
  E_RUN_PROMPT: {
    message: 'A prompt lacks a variable or has one that is unknown.',
    hint: 'Give each {{variable}} of the prompt a value.',
  },
  E_RUN_LIMIT: {
    message: 'A limit of the run is reached.',
    hint: 'Raise the limit, or catch this error and do with less.',
  },
  E_RUN_ABORTED: { message: 'The run was aborted.', hint: 'Nothing to mend.' },
  E_RUN_EMPTY_REPLY: {
    message: 'The model twice gave a reply with neither text nor calls.',
    hint: 'Try again, or use another model.',
  },
  E_RUN_TASK: { message: 'The task is not one that can be run.', hint: 'Give a non-empty instruction, as JSON.' },
  E_RUN_UNSUPPORTED: {
    message: 'The action is of a kind that this version does not perform.',
    hint: 'Use call, answer, think or fail.',
  },
  E_RUN_CODEGEN: {
    message: 'This JavaScript runtime forbids code generation, which the hooks need.',
    hint: 'Run on Node.js without --disallow-code-generation-from-strings.',
  },
  E_ENV_INVALID: {
    message: 'The environment is not complete or not valid.',
    hint: 'Give createEnvironment at least one model.',
  },
  E_MODEL_UNKNOWN: {
    message: 'The environment has no model of that id.',
    hint: 'Use one of the listed ids, or register the model.',
  },
  E_MODEL_AUTH: { message: 'The endpoint refused the credentials.', hint: 'Check the key and its rights.' },
  E_MODEL_BAD_REQUEST: { message: 'The endpoint refused the request.', hint: 'The message of the endpoint says why.' },
  E_MODEL_CONTENT_FILTER: { message: 'The endpoint filtered the request or the reply.', hint: 'Rephrase the task.' },
  E_MODEL_RATE_LIMIT: { message: 'The endpoint limits the rate of requests.', hint: 'Wait, or lower the rate.' },
  E_MODEL_OVERLOADED: { message: 'The endpoint is overloaded.', hint: 'Try again later.' },
  E_MODEL_TRANSPORT: {
    message: 'The endpoint could not be reached, or the connection broke.',
    hint: 'Check the address and the network.',
  },
  E_MODEL_TIMEOUT: { message: 'The endpoint did not answer in time.', hint: 'Try again, or allow more time.' },
  E_MODEL_CONTEXT_OVERFLOW: {
    message: 'The request is larger than the context window of the model.',
    hint: 'Use a memory module that keeps the view small, or a model with a larger window.',
  },
  E_TOOL_UNKNOWN: {
    message: 'The model called a tool that does not exist.',
    hint: 'The model is told the names that do.',
  },
  E_TOOL_NOT_OFFERED: {
    message: 'The model called a tool that is not on offer now.',
    hint: 'The model is told the names that are.',
  },
  E_TOOL_ARGUMENTS: {
    message: 'The arguments of a call do not fit the tool.',
    hint: 'The model is told the field and what is expected.',
  },
  E_TOOL_DENIED: { message: 'A guard denied a call.', hint: 'The model is told the reason.' },
  E_TOOL_FAILED: { message: 'A tool failed.', hint: 'The model is told the message.' },
  E_TOOL_TIMEOUT: {
    message: 'A tool did not finish in time.',
    hint: 'Give the tool a larger timeoutMs, or make it quicker.',
  },
  E_TOOL_LIMIT: { message: 'The calls of a tool are used up.', hint: 'Raise limits.toolCalls or limits.perTool.' },
}
