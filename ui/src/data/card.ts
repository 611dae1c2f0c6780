/** The data of a card's page; `sensecheck.calibration.page` writes it. */
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
  /** Null where there was no such answer. */
  rate: Rate | null
}

/** The share of bad answers that pass, and of good ones. */
export type Passing = readonly [bad: number, good: number]

export interface Roc {
  points: Passing[]
  auc: number
  passes: Passing
  /** Passes or is unsure; null where the cutoff has no unsure band. */
  not_failed: Passing | null
  /** Whether the card contains every score; of many it contains a sample of a hundred. */
  whole: boolean
}

/** Shares of each label, in bins of the same width. */
export interface Distribution {
  edges: number[]
  good: number[]
  bad: number[]
}

/** Answers with similar scores: how many were expected to be good, and how many were. */
export interface Bin {
  low: number
  high: number
  expected: number
  observed: Rate
}

/** Answers with a given number of claims. */
export interface ByClaims {
  claims: string
  passes: string
  /** The answers that the promise covers; null where nothing is promised. */
  promised: string | null
  promise: string
  rates: NamedRate[]
}

export interface CardData {
  format: number
  name: string
  promise: string
  /** What the rates and the promise refer to: the verdicts of a check, or a score alone. */
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
  histogram: Distribution | null
  roc: Roc | null
  reliability: Bin[]
  warnings: string[]
  facts: [what: string, fact: string][]
  version: string
}

/** `3.1%`; only 0 is shown as `0%` and only 1 as `100%`. */
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

/** A score as shown on an axis or in a table. */
export function score(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** `98% of good and 3% of bad answers pass`. */
export function describePassing([bad, good]: Passing): string {
  return `${share(good)} of good and ${share(bad)} of bad answers pass`
}

/** A linear scale. The range is halved in the arithmetic, since it may be larger than any number. */
export interface Scale {
  place: (value: number) => number
  ticks: (maxCount: number) => number[]
}

export function scaleOf(low: number, high: number): Scale {
  const half = high / 2 - low / 2
  return {
    place: (value) => Math.min(Math.max((value / 2 - low / 2) / half, 0), 1),
    ticks: (maxCount) => {
      const rough = (half / (maxCount - 1)) * 2
      const power = 10 ** Math.floor(Math.log10(rough))
      const step = [1, 2, 2.5, 5, 10].map((times) => power * times).find((one) => one >= rough * (1 - 1e-9))!
      const first = Math.ceil(low / step - 1e-9)
      const count = Math.floor(high / step + 1e-9) - first + 1
      return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * step)
    },
  }
}

/** Evenly spaced points of the curve, including the first and the last. */
export function samplePoints(points: readonly Passing[], maxPoints = 21): Passing[] {
  const [last, count] = [points.length - 1, Math.min(points.length, maxPoints)]
  const indexes = Array.from({ length: count }, (_, at) => Math.floor((last * at) / Math.max(count - 1, 1)))
  return [...new Set(indexes)].map((at) => points[at]!)
}
