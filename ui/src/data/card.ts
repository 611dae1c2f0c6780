/** What a card's page shows; `sensecheck.calibration.page` writes it. */
export const FORMAT = 1

export type Side = "above" | "below"
export type ErrorKind = "false_accepts" | "false_rejects"

/** A share with its 95% interval, and how many it was counted on. */
export interface Rate {
  value: number
  low: number
  high: number
  n: number
}

export interface NamedRate {
  kind: ErrorKind | "unsure"
  what: string
  /** None where there was no such answer. */
  rate: Rate | null
}

/** The share of bad answers that pass, and of good ones. */
export type Passing = readonly [bad: number, good: number]

export interface Roc {
  points: Passing[]
  auc: number
  passes: Passing
  /** What passes or is unsure; none where nothing is ever unsure. */
  not_failed: Passing | null
  /** Whether the card holds every score; of many it holds a hundred. */
  whole: boolean
}

/** Shares of each label, in bins of the same width. */
export interface Spread {
  edges: number[]
  good: number[]
  bad: number[]
}

/** Answers of similar scores: how many were expected to be good, and how many were. */
export interface Bin {
  low: number
  high: number
  expected: number
  observed: Rate
}

/** Answers of so many claims. */
export interface ByClaims {
  claims: string
  passes: string
  /** The answers that the promise is about; none where nothing is promised. */
  promised: string | null
  promise: string
  rates: NamedRate[]
}

export interface CardData {
  format: number
  name: string
  promise: string
  /** Whose errors the rates and the promise are about: the verdicts of a check, or a score alone. */
  speaks_of: string
  /** The promises that held-out answers contradict. */
  broken: string[]
  claims: ByClaims[]
  /** `at least 0.52, unsure from 0.48 to 0.52`. */
  passes: string
  measure: string
  measure_in_full: string
  good: Side
  threshold: number
  unsure: readonly [low: number, high: number] | null
  targets: Partial<Record<ErrorKind, number>>
  held_out: { good: number; bad: number }
  rates: NamedRate[]
  slices: { column: string; rows: { value: string; rates: NamedRate[] }[] }[]
  histogram: Spread | null
  roc: Roc | null
  reliability: Bin[]
  warnings: string[]
  facts: [what: string, fact: string][]
  version: string
}

/** `3.1%`; only none is `0%` and only all is `100%`. */
export function share(value: number): string {
  let shown = ""
  for (const places of [1, 2, 4, 8]) {
    shown = (100 * value).toFixed(places)
    if (value === 0 || value === 1 || (Number(shown) !== 0 && Number(shown) !== 100)) break
  }
  return `${shown.replace(/\.?0+$/, "")}%`
}

/** `1% to 7.1%`. */
export function interval({ low, high }: Rate): string {
  return `${share(low)} to ${share(high)}`
}

/** `4 of 128`. */
export function hits({ value, n }: Rate): string {
  return `${Math.round(value * n)} of ${n}`
}

/** A score as it is written at an axis or in a table. */
export function score(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** `98% of good and 3% of bad answers pass`. */
export function passing([bad, good]: Passing): string {
  return `${share(good)} of good and ${share(bad)} of bad answers pass`
}

/** Scores on the way from the first to the last; halved, since the whole may be larger than any number. */
export interface Scale {
  place: (value: number) => number
  ticks: (most: number) => number[]
}

export function scaleOf(low: number, high: number): Scale {
  const half = high / 2 - low / 2
  return {
    place: (value) => Math.min(Math.max((value / 2 - low / 2) / half, 0), 1),
    ticks: (most) => {
      const rough = (half / (most - 1)) * 2
      const power = 10 ** Math.floor(Math.log10(rough))
      const step = [1, 2, 2.5, 5, 10].map((times) => power * times).find((one) => one >= rough * (1 - 1e-9))!
      const first = Math.ceil(low / step - 1e-9)
      const count = Math.floor(high / step + 1e-9) - first + 1
      return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * step)
    },
  }
}

/** Some points of the curve, evenly spaced, the first and the last among them. */
export function somePoints(points: readonly Passing[], most = 21): Passing[] {
  const [last, count] = [points.length - 1, Math.min(points.length, most)]
  const places = Array.from({ length: count }, (_, at) => Math.floor((last * at) / Math.max(count - 1, 1)))
  return [...new Set(places)].map((at) => points[at]!)
}
