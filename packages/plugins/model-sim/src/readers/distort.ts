/** Another number not far away, `share` (0 to 1) telling which: up to a quarter more or less, and never the same. */
export function distortNumber(digits: string, share: number): string {
  const number = Number(digits)
  const change = Math.max(1, Math.round(number * 0.25 * Math.abs(share - 0.5) * 2))
  return String(share < 0.5 && number > change ? number - change : number + change)
}
