import { exitCodeOfErrorCode } from '../errors/exit-code-of.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { StopSignal } from '../io.js'
import type { Outcome } from '../output/outcome.js'

/** The exit code of a finished run. */
export function exitCodeOf({ result, check }: Pick<Outcome, 'result' | 'check'>, signal?: StopSignal): ExitCode {
  switch (result.status) {
    case 'answered':
      return check?.passed === false ? EXIT.checkFailed : EXIT.ok
    case 'limit':
      return check?.passed === true ? EXIT.ok : EXIT.limit
    case 'failed':
      return result.error === undefined ? EXIT.gaveUp : exitCodeOfFailure(result.error.code)
    case 'aborted':
      return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted
    case 'waiting':
      return EXIT.waiting
  }
}

/** Once a run is under way its input was right: what is no fault of the model is one of a module. */
function exitCodeOfFailure(code: string): ExitCode {
  return exitCodeOfErrorCode(code) === EXIT.model ? EXIT.model : EXIT.module
}
