/** `1 step`, `8,700 tokens`, or the number alone. */
export function formatCount(count: number, noun?: string): string {
  const number = String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return noun === undefined ? number : `${number} ${noun}${count === 1 ? '' : 's'}`
}

/** A share as `18 %`; below one per cent as `under 1 %`. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100)
  return share > 0 && percent < 1 ? 'under 1 %' : `${formatCount(percent)} %`
}

/** USD with as many decimals as a small amount needs. */
export function formatUsd(usd: number): string {
  return usd >= 0.1 ? usd.toFixed(2) : usd.toFixed(4)
}
