/** Exact binomial intervals, as `sensecheck.stats.binomial` computes them; a test compares the two. */

export interface Share {
  value: number
  low: number
  high: number
  n: number
}

/** The share of hits with its 95% interval (Clopper and Pearson); null without any tries. */
export function shareOf(hits: number, n: number, confidence = 0.95): Share | null {
  if (n === 0) return null
  const doubt = (1 - confidence) / 2
  const low = hits === 0 ? 0 : crossing((p) => chanceOfAtLeast(hits, n, p) > doubt)
  const high = hits === n ? 1 : crossing((p) => chanceOfAtMost(hits, n, p) < doubt)
  return { value: hits / n, low, high, n }
}

/** The chance of no more than `hits` in `n` tries, each of which hits with chance `p`. */
export function chanceOfAtMost(hits: number, n: number, p: number): number {
  return hits >= n ? 1 : hits < 0 ? 0 : regularizedBeta(1 - p, n - hits, hits + 1)
}

function chanceOfAtLeast(hits: number, n: number, p: number): number {
  return hits <= 0 ? 1 : hits > n ? 0 : regularizedBeta(p, hits, n - hits + 1)
}

export interface PromiseState {
  state: "holds" | "broken" | "too few"
  /** At least so many more rows, none of them an error, would confirm it. */
  more: number
}

/** Whether rows confirm with confidence that the share of errors is at most this, or contradict it. */
export function promiseState(errors: number, n: number, atMost: number, confidence = 0.95): PromiseState {
  const doubt = 1 - confidence
  const confirms = (rows: number) => chanceOfAtMost(errors, rows, atMost) <= doubt
  if (n > 0 && confirms(n)) return { state: "holds", more: 0 }
  if (n > 0 && chanceOfAtLeast(errors, n, atMost) <= doubt) return { state: "broken", more: 0 }
  let most = 1
  while (!confirms(n + most)) most *= 2
  let least = 0
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (confirms(n + middle)) most = middle
    else least = middle
  }
  return { state: "too few", more: most }
}

/** The share from which on it is beyond. */
function crossing(beyond: (share: number) => boolean): number {
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 50; turn++) {
    const middle = (low + high) / 2
    if (beyond(middle)) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** The regularized incomplete beta function, by its continued fraction. */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b
}

function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const kept = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < 5000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / kept(1 + even * d)
    c = kept(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / kept(1 + odd * d)
    c = kept(1 + odd / c)
    const step = d * c
    result *= step
    if (Math.abs(step - 1) < 1e-14) break
  }
  return result
}

/** Stirling's series; smaller arguments are shifted up to where it is exact to the last digits. */
function logGamma(x: number): number {
  let shift = 0
  while (x < 15) shift += Math.log(x++)
  const inverse = 1 / (x * x)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift
}
