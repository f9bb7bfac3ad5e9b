import { LONG_LOG } from './constants.js'
import type { Draws } from './random.js'

/** An incident: what stood still, for how long, and in which part it is told. */
export interface Incident {
  readonly id: string
  readonly part: number
  readonly machine: string
  readonly minutes: number
}

/** What one part tells. */
interface PartPlan {
  readonly part: number
  readonly parts: number
  readonly incidents: readonly Incident[]
}

/** The text of one part: as many remarks as fill it, and the incidents somewhere between them. */
export function writePart({ part, parts, incidents }: PartPlan, draws: Draws): string {
  const head = `Plant log, part ${part} of ${parts}, hall ${draws.pick(LONG_LOG.halls)}\n`
  const foot = `End of part ${part} of ${parts} of the plant log.\n`
  const told = incidents.map(
    ({ id, machine, minutes }) => `incident ${id}: ${machine} stood still for ${minutes} minutes`,
  )
  const remarks = drawRemarks(LONG_LOG.partChars - head.length - foot.length - told.join('\n').length, draws)
  for (const line of told) remarks.splice(draws.integer([0, remarks.length]), 0, line)
  return `${head}${remarks.map((line, index) => `${timeOf(index, remarks.length)} ${line}\n`).join('')}${foot}`
}

function drawRemarks(chars: number, draws: Draws): string[] {
  const remarks: string[] = []
  for (let left = chars; left > 0; ) {
    const machine = `${draws.pick(LONG_LOG.machines)} ${draws.integer([1, 9])}`
    const remark = `${machine}: ${fillIn(draws.pick(LONG_LOG.remarks), draws)}`
    remarks.push(remark)
    left -= remark.length + '00:00 \n'.length
  }
  return remarks
}

function fillIn(template: string, draws: Draws): string {
  return template
    .replace('{a}', (draws.integer([11, 99]) / 10).toFixed(1))
    .replace('{b}', String(draws.integer([1, 40])))
    .replace('{c}', String(draws.integer([41, 99])))
}

/** The lines of a part are spread over a day. */
function timeOf(index: number, lines: number): string {
  const minute = Math.floor((index * 1440) / lines)
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
