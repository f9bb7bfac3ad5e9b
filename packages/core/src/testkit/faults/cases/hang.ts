import { chunk, EVENTS, type FaultAnswer, type FaultScript } from '../answer.js'
import type { FaultCase, FaultScene, FaultStage } from '../case.js'
import { realTime, settle } from '../clocks.js'
import { describeEnd, expectNoAnswer, expectThat, type FaultTrace, requestAt } from '../trace.js'
import { BOTH } from './parts.js'

const IDLE_MS = 1_000
const HANG_MS = 3_000
/** Default of the longest silence before the first byte, and of that between two pieces of a body, in ms. */
const FIRST_BYTE_MS = 120_000
const BETWEEN_MS = 60_000
/** What is still waited for before and after a limit, in ms of the clock. */
const MARGIN_MS = 1_000
/** Longest real time in ms until a line that is closed is seen to be. */
const CLOSING_MS = 1_000
/** Time of the clock after which a run that goes on counts as one without an end. */
const NO_END_MS = 3_600_000

/** Silence before the first byte. */
const silent: FaultScript = () => ({ end: 'silence' })

/** Silence after the headers and the first piece of a body. */
const half: FaultScript = ({ isStream }): FaultAnswer =>
  isStream
    ? { headers: EVENTS, pieces: [chunk({ role: 'assistant', content: 'half of ' })], end: 'silence' }
    : { headers: { 'content-type': 'application/json' }, pieces: ['{"id":"chat-1","choices":[{"mess'], end: 'silence' }

function hangScenes(): readonly FaultScene[] {
  const limited = { limits: { idleMs: IDLE_MS }, clock: 'real', patienceMs: 2 * HANG_MS, check: expectHangUp } as const
  const untouched = { needs: ['clock'], clock: 'manual', check: expectDefaultLimit } as const
  return [
    { name: 'before-the-first-byte', script: silent, ...limited },
    { name: 'amid-the-body', script: half, ...limited },
    { name: 'default-before-the-first-byte', script: silent, drive: outwait(FIRST_BYTE_MS), ...untouched },
    { name: 'default-amid-the-body', script: half, drive: outwait(BETWEEN_MS), ...untouched },
  ]
}

function expectHangUp(trace: FaultTrace): void {
  requestAt(trace, 0)
  expectNoAnswer(trace, 'an end without an answer')
  expectThat(
    trace.waitedMs <= HANG_MS,
    `an end within ${HANG_MS} ms`,
    `${describeEnd(trace)}, after ${Math.round(trace.waitedMs)} ms`,
  )
  expectLinesClosed(trace)
}

function expectLinesClosed({ openRequests }: FaultTrace): void {
  expectThat(openRequests === 0, 'no open line after the run', `${openRequests} open`)
}

/** Moves the clock over a default limit of the first request, and on until the run ends. */
function outwait(limitMs: number): (stage: FaultStage) => Promise<void> {
  return async (stage) => {
    const { clock } = stage
    const first = await stage.request(0)
    await settle()
    clock.advance(limitMs - MARGIN_MS)
    await settle()
    stage.note('isOpenBefore', first.isOpen)
    clock.advance(2 * MARGIN_MS)
    for (const until = performance.now() + CLOSING_MS; first.isOpen && performance.now() < until; ) await realTime(2)
    stage.note('isOpenAfter', first.isOpen)
    stage.note('limitMs', limitMs)
    while (!stage.isOver && clock.now() < NO_END_MS) {
      clock.advance(10 * MARGIN_MS)
      await realTime(1)
    }
  }
}

function expectDefaultLimit(trace: FaultTrace): void {
  const { notes } = trace
  const limit = `${String(notes.get('limitMs'))} ms of silence`
  expectThat(notes.get('isOpenBefore') === true, `a line that is open until ${limit}`, 'one that was closed before')
  expectThat(notes.get('isOpenAfter') === false, `a line that is closed after ${limit}`, 'one that is open still')
  expectNoAnswer(trace, `an end within ${NO_END_MS / 60_000} minutes of the clock, without an answer`)
  expectLinesClosed(trace)
}

/** Silence, at any time. */
export const HANG_CASE: FaultCase = {
  id: 'hang',
  sentence: 'The endpoint falls silent, and the longest silence is set to one second.',
  expects: `The run ends within ${HANG_MS} ms without an answer, and closes its lines. Where nothing is set, a silence ends after ${FIRST_BYTE_MS / 1_000} s before the first byte and ${BETWEEN_MS / 1_000} s amid a body.`,
  modes: BOTH,
  scenes: hangScenes(),
}
