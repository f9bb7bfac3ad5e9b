/** What one supplier asks, in cents for one piece, by item. */
export interface PriceList {
  readonly supplier: string
  readonly prices: ReadonlyMap<string, number>
}

/** A way to write a price list, with the extension of its file. */
interface Format {
  readonly extension: string
  write(list: PriceList): string
}

/** The formats in use. The list in `json` gives its prices for 100 pieces. */
const FORMATS: readonly Format[] = [
  { extension: 'csv', write: writeCsv },
  { extension: 'json', write: writeJson },
  { extension: 'md', write: writeMarkdown },
  { extension: 'txt', write: writeText },
]

/** The file of a list: its path and text. Neighbouring indexes give different formats. */
export function writePriceList(list: PriceList, index: number): { readonly path: string; readonly text: string } {
  const format = FORMATS[index % FORMATS.length] as Format
  return { path: `lists/${list.supplier.toLowerCase()}.${format.extension}`, text: format.write(list) }
}

/** An amount of cents as EUR with two decimals. */
export function formatEur(cents: number): string {
  return (cents / 100).toFixed(2)
}

function rowsOf(list: PriceList, row: (item: string, eur: string) => string): string {
  return [...list.prices].map(([item, cents]) => row(item, formatEur(cents))).join('\n')
}

function writeCsv(list: PriceList): string {
  return `supplier,item,eur per piece\n${rowsOf(list, (item, eur) => `${list.supplier},${item},${eur}`)}\n`
}

function writeJson({ supplier, prices }: PriceList): string {
  return `${JSON.stringify({ supplier, currency: 'EUR', per: 100, prices: Object.fromEntries(prices) }, null, 1)}\n`
}

function writeMarkdown(list: PriceList): string {
  const rows = rowsOf(list, (item, eur) => `| ${item} | ${eur} |`)
  return `# Price list of ${list.supplier}\n\n| item | EUR per piece |\n| --- | ---: |\n${rows}\n`
}

function writeText(list: PriceList): string {
  const rows = rowsOf(list, (item, eur) => `${item.padEnd(18, '.')} ${eur}`)
  return `PRICE LIST of ${list.supplier}, in EUR for one piece\n\n${rows}\n`
}
