import { type PlotPanel, type PlotSeries, renderPlot } from '../plot/plot.js'
import type { StreamResult } from './stream.js'
import { type Curve, curveOf } from './summary.js'

/** What is written beside the curves of a stream. */
export interface StreamPlotTexts {
  readonly title: string
  readonly subtitle: string
  /** A line below: where the figures come from. */
  readonly note: string
}

const STREAMING = { name: 'streaming', colour: '#0b69a3' } as const
const CONTROL = { name: 'static', colour: '#8a5a00', isDashed: true } as const

/** The cumulative curves of a stream and of its static control as an SVG document: the mean of all orders, and between which of them they lie. */
export function plotStream(result: StreamResult, { title, subtitle, note }: StreamPlotTexts): string {
  return renderPlot({ title, subtitle, axis: 'tasks', note, panels: panelsOf(result) })
}

function panelsOf(result: StreamResult): readonly PlotPanel[] {
  const both = (what: 'reward' | 'usd' | 'tokens'): readonly PlotSeries[] => [
    { ...CONTROL, ...curveOf(result, 'control', what) },
    { ...STREAMING, ...curveOf(result, 'outcome', what) },
  ]
  const gain: PlotSeries = { name: 'gain', colour: '#2d6a4f', ...gainOf(result) }
  return [
    { title: 'Reward', unit: 'cumulative', series: both('reward') },
    { title: 'Gained by streaming', unit: 'reward, cumulative', series: [gain] },
    { title: 'Cost', unit: 'USD, cumulative', series: both('usd') },
    { title: 'Tokens', unit: 'in and out, cumulative', series: both('tokens') },
  ]
}

/** Reward of streaming less that of the control, order by order. */
function gainOf({ status, orders }: StreamResult): Curve {
  const differences = orders.map((steps) =>
    steps.map((step) => {
      const { outcome, control } = step
      return { ...step, outcome: { ...outcome, reward: (outcome.reward ?? 0) - (control.reward ?? 0) } }
    }),
  )
  return curveOf({ status, orders: differences }, 'outcome', 'reward')
}
