import { ticksOf, tickText } from './scale.js'

/** A line with the band around it. */
export interface PlotSeries {
  readonly name: string
  /** `#rrggbb`. */
  readonly colour: string
  readonly mean: readonly number[]
  /** Lower and upper edge of the band. */
  readonly least: readonly number[]
  readonly most: readonly number[]
  /** The line is dashed. Default false. */
  readonly isDashed?: boolean
}

/** One diagram of a plot. */
export interface PlotPanel {
  readonly title: string
  /** What the numbers of the vertical axis are. */
  readonly unit: string
  readonly series: readonly PlotSeries[]
}

/** Diagrams that share their horizontal axis. */
export interface Plot {
  readonly title: string
  readonly subtitle: string
  /** What the horizontal axis counts. */
  readonly axis: string
  readonly panels: readonly PlotPanel[]
  /** A line below everything. */
  readonly note: string
}

const PANEL = { width: 440, height: 250, left: 62, right: 118, top: 46, bottom: 40 } as const
const COLUMNS = 2
const HEAD = 74
const FOOT = 36
const INK = { text: '#1f2933', soft: '#616e7c', grid: '#e4e7eb', axis: '#9aa5b1', paper: '#ffffff' } as const

/** A plot as an SVG document of its own: no script, no link, no font that must be loaded. Every text is escaped. */
export function renderPlot({ title, subtitle, axis, panels, note }: Plot): string {
  const rows = Math.ceil(panels.length / COLUMNS)
  const width = PANEL.width * Math.min(COLUMNS, panels.length) + 24
  const height = HEAD + rows * PANEL.height + FOOT
  const placed = panels.map((panel, index) => {
    const [x, y] = [12 + (index % COLUMNS) * PANEL.width, HEAD + Math.floor(index / COLUMNS) * PANEL.height]
    return `<g transform="translate(${x} ${y})">${renderPanel(panel, axis)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">`,
    `<title>${escapeText(title)}</title><desc>${escapeText(subtitle)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${INK.paper}"/>`,
    text(26, 32, title, `font-size="19" font-weight="600" fill="${INK.text}"`),
    text(26, 54, subtitle, `font-size="12.5" fill="${INK.soft}"`),
    ...placed,
    text(26, height - 14, note, `font-size="11" fill="${INK.soft}"`),
    '</svg>',
    '',
  ].join('\n')
}

/** Where the numbers of a panel come to lie. */
interface Scales {
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  readonly ticks: readonly number[]
  readonly length: number
}

function renderPanel(panel: PlotPanel, axis: string): string {
  const scales = scalesOf(panel.series)
  const { left, top, height, bottom, width, right } = PANEL
  const [x, y] = [(left + width - right) / 2, height - 8]
  return [
    text(left, top - 20, panel.title, `font-size="13.5" font-weight="600" fill="${INK.text}"`),
    text(width - right, top - 20, panel.unit, `font-size="11" text-anchor="end" fill="${INK.soft}"`),
    ...scales.ticks.map((tick) => renderTick(tick, scales)),
    ...indexTicks(scales.length).map((count) => renderCount(count, scales)),
    `<line x1="${left}" x2="${width - right}" y1="${height - bottom}" y2="${height - bottom}" stroke="${INK.axis}"/>`,
    text(x, y, axis, `font-size="11" text-anchor="middle" fill="${INK.soft}"`),
    ...panel.series.map((series) => renderBand(series, scales)),
    ...panel.series.map((series) => renderLine(series, scales)),
    ...renderLabels(panel.series, scales),
  ].join('\n')
}

function scalesOf(series: readonly PlotSeries[]): Scales {
  const values = series.flatMap(({ least, most, mean }) => [...least, ...most, ...mean])
  const ticks = ticksOf(least(values), most(values), 5)
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const length = Math.max(2, ...series.map(({ mean }) => mean.length))
  const { left, right, top, bottom, width, height } = PANEL
  return {
    x: (index) => left + (index / (length - 1)) * (width - left - right),
    y: (value) => height - bottom - ((value - low) / (high - low || 1)) * (height - top - bottom),
    ticks,
    length,
  }
}

/** 0 is always shown. */
function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), 0)
}

function most(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), 0)
}

function renderTick(tick: number, { y }: Scales): string {
  const { left, right, width } = PANEL
  const at = round(y(tick))
  const line = `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" stroke="${tick === 0 ? INK.axis : INK.grid}"/>`
  return line + text(left - 7, at + 4, tickText(tick), `font-size="11" text-anchor="end" fill="${INK.soft}"`)
}

/** Counts below the horizontal axis. */
function indexTicks(length: number): readonly number[] {
  return ticksOf(0, length, 5).filter((tick) => tick >= 1 && tick <= length && Number.isInteger(tick))
}

function renderCount(count: number, { x }: Scales): string {
  const { height, bottom } = PANEL
  return text(
    round(x(count - 1)),
    height - bottom + 15,
    tickText(count),
    `font-size="11" text-anchor="middle" fill="${INK.soft}"`,
  )
}

function renderBand({ colour, least: lower, most: upper }: PlotSeries, { x, y }: Scales): string {
  const there = upper.map((value, index) => `${round(x(index))},${round(y(value))}`)
  const back = lower.map((value, index) => `${round(x(index))},${round(y(value))}`).reverse()
  return there.length === 0
    ? ''
    : `<polygon points="${[...there, ...back].join(' ')}" fill="${colour}" fill-opacity="0.16"/>`
}

function renderLine({ colour, mean, isDashed = false }: PlotSeries, { x, y }: Scales): string {
  const points = mean.map((value, index) => `${round(x(index))},${round(y(value))}`).join(' ')
  const dash = isDashed ? ' stroke-dasharray="5 4"' : ''
  return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"${dash}/>`
}

/** Least distance between two labels, in units of the drawing. */
const LINE_HEIGHT = 15

/** Names and last values at the ends of the lines, moved apart where they would cover one another. */
function renderLabels(series: readonly PlotSeries[], { y }: Scales): readonly string[] {
  const ends = series
    .flatMap(({ name, colour, mean }) => {
      const last = mean.at(-1)
      return last === undefined ? [] : [{ name: `${name} ${tickText(last)}`, colour, at: y(last) }]
    })
    .sort((a, b) => a.at - b.at)
  let free = Number.NEGATIVE_INFINITY
  return ends.map(({ name, colour, at }) => {
    const place = Math.max(at, free)
    free = place + LINE_HEIGHT
    return text(
      PANEL.width - PANEL.right + 7,
      round(place + 4),
      name,
      `font-size="11.5" font-weight="600" fill="${colour}"`,
    )
  })
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeText(content)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters are no text of an XML document. */
function escapeText(content: string): string {
  return content.replace(/(?![\t\n])\p{Cc}/gu, '').replace(/[&<>"']/g, (found) => ESCAPES[found] as string)
}
