/**
 * Student's t and the normal distribution, which is Student's with `Infinity` degrees of freedom.
 *
 * @param x - Where.
 * @param degrees - Degrees of freedom, above 0; `Infinity` for the normal distribution.
 * @returns The share of the distribution up to `x`, right to about 12 digits.
 */
export function tCdf(x: number, degrees: number): number {
  if (x === 0) return 0.5
  if (x < 0) return tTail(-x, degrees)
  return 1 - tTail(x, degrees)
}

/** The share above `x`, which is above 0: told as it is, where `1 - cdf` would lose its digits. */
function tTail(x: number, degrees: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0
  if (degrees === Number.POSITIVE_INFINITY) return normalTail(x)
  const whole = degrees + x * x
  return 0.5 * incompleteBeta(degrees / whole, (x * x) / whole, degrees / 2, 0.5)
}

/**
 * Quantile of Student's t: the `x` up to which the share `p` of the distribution lies.
 *
 * @param p - A share above 0 and below 1.
 * @param degrees - Degrees of freedom, above 0; `Infinity` for the normal distribution.
 * @throws RangeError when either is outside of these.
 */
export function tQuantile(p: number, degrees: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`p must be above 0 and below 1, got ${p}`)
  if (!(degrees > 0)) throw new RangeError(`degrees must be above 0, got ${degrees}`)
  if (p === 0.5) return 0
  return p < 0.5 ? -knownPoint(p, degrees) : knownPoint(1 - p, degrees)
}

/** Quantiles are asked for again and again, with few levels and sizes. */
function knownPoint(share: number, degrees: number): number {
  const ofShare = KNOWN.get(share) ?? new Map<number, number>()
  const known = ofShare.get(degrees)
  if (known !== undefined) return known
  const point = tailPoint(share, degrees)
  if (KNOWN.size >= MOST_SHARES) KNOWN.clear()
  if (ofShare.size >= MOST_DEGREES) ofShare.clear()
  KNOWN.set(share, ofShare.set(degrees, point))
  return point
}

const KNOWN = new Map<number, Map<number, number>>()
const MOST_SHARES = 50
const MOST_DEGREES = 1_000

/** The point above which a share below one half lies: by Newton's steps, and by halving where a step would leave the bracket. */
function tailPoint(share: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (tTail(high, degrees) > share) [low, high] = [high, high * 2]
  let point = (low + high) / 2
  for (let round = 0; round < 200 && high - low > 1e-13 * high; round += 1) {
    const excess = tTail(point, degrees) - share
    if (excess > 0) low = point
    else high = point
    const next = point + excess / density(point, degrees)
    if (Math.abs(next - point) <= 1e-14 * point) return next
    point = next > low && next < high ? next : (low + high) / 2
  }
  return point
}

function density(x: number, degrees: number): number {
  if (degrees === Number.POSITIVE_INFINITY) return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  const scale = Math.exp(-logBeta(degrees / 2, 0.5)) / Math.sqrt(degrees)
  return scale * Math.exp((-(degrees + 1) / 2) * Math.log1p((x * x) / degrees))
}

function normalTail(x: number): number {
  const height = density(x, Number.POSITIVE_INFINITY)
  return x < 3 ? 0.5 - height * powerSeries(x) : height * millsRatio(x)
}

/** x + x³/3 + x⁵/(3·5) + …, by which the density is multiplied for the share between 0 and x. */
function powerSeries(x: number): number {
  let term = x
  let sum = x
  for (let odd = 3; term > 1e-17 * sum; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return sum
}

/** Tail over density, by Laplace's continued fraction from its far end. */
function millsRatio(x: number): number {
  let rest = x
  for (let level = 60; level > 0; level -= 1) rest = x + level / rest
  return 1 / rest
}

/**
 * The regularised incomplete beta function at `x`, from 0 to 1. `rest` is `1 - x`, handed over because the difference would lose
 * its digits where `x` is near 1.
 */
function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (rest <= 0) return 1
  const front = Math.exp(a * logOf(x, rest) + b * logOf(rest, x) - logBeta(a, b))
  const isNear = x < (a + 1) / (a + b + 2)
  return isNear ? (front / a) * betaFraction(x, a, b) : 1 - (front / b) * betaFraction(rest, b, a)
}

/** Logarithm of `x`, of which `rest` is what is missing to 1. */
function logOf(x: number, rest: number): number {
  return x < 0.5 ? Math.log(x) : Math.log1p(-rest)
}

/**
 * The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) from its far end. It converges within
 * about the square root of the larger parameter.
 */
function betaFraction(x: number, a: number, b: number): number {
  let rest = 1
  for (let level = Math.ceil(60 + 4 * Math.sqrt(Math.max(a, b))); level > 0; level -= 1) {
    const m = Math.floor(level / 2)
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    rest = 1 + (level % 2 === 0 ? even : odd) / rest
  }
  return 1 / rest
}

/** Logarithm of Γ(a)Γ(b)/Γ(a + b). With a large `a` the two large logarithms are never taken apart: their difference is small. */
function logBeta(a: number, b: number): number {
  if (a < STIRLING_FROM) return logGamma(a) + logGamma(b) - logGamma(a + b)
  const difference = b - (a - 0.5) * Math.log1p(b / a) - b * Math.log(a + b)
  return logGamma(b) + difference + stirlingRest(a) - stirlingRest(a + b)
}

/** Logarithm of the gamma function of a number above 0. */
function logGamma(value: number): number {
  let [x, shift] = [value, 0]
  while (x < STIRLING_FROM) {
    shift += Math.log(x)
    x += 1
  }
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingRest(x) - shift
}

const STIRLING_FROM = 15

/** What Stirling's formula leaves out of the logarithm of the gamma function: right to 15 digits above 15. */
function stirlingRest(x: number): number {
  const inverse = 1 / (x * x)
  return (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / x
}
