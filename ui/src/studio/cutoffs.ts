import { promiseState, shareOf, type PromiseState, type Share } from "../data/binomial"
import type { Passing, Roc, Side } from "../data/card"

export type LabelKind = "good" | "bad" | "other"

/** How many readings of each label are below each place of a grid; at the places, counts are exact. */
export interface Chart {
  metrics: { name: string; encoder: string }[]
  metric: string
  label: string
  labels: string[]
  rows: "random" | "all"
  good: Side
  indexed: boolean
  can_fit: boolean
  can_save: boolean
  /** Whether a fitted card may become the next version of a policy of the service. */
  can_apply: boolean
  policy_base: string | null
  grid: { step: number; digits: number; first: number; count: number }
  below: Record<LabelKind, number[]>
  n: Record<LabelKind, number>
  split: number
  auc: number | null
  start: number | null
  missing: { good?: number; bad?: number }
  shortage: string | null
  sample: { labelled: number; skipped: number }
  labelled: number
}

/** A cutoff and its unsure band, as places of the grid. */
export interface Placed {
  cutoff: number
  band: readonly [low: number, high: number] | null
}

export function valueAt({ grid }: Pick<Chart, "grid">, place: number): number {
  return Number(((grid.first + place) * grid.step).toFixed(grid.digits))
}

export function placeOf({ grid }: Pick<Chart, "grid">, value: number): number {
  return Math.max(0, Math.min(grid.count - 1, Math.round(value / grid.step) - grid.first))
}

export interface Counts {
  /** Bad answers that pass, good ones that fail, and all that are unsure. */
  accepts: number
  rejects: number
  unsure: number
  passes: Record<LabelKind, number>
}

export function countsAt({ below, n, good }: Pick<Chart, "below" | "n" | "good">, placed: Placed): Counts {
  const [low, high] = placed.band ?? [placed.cutoff, placed.cutoff]
  const passing = (kind: LabelKind) => (good === "above" ? n[kind] - below[kind][high]! : below[kind][low]!)
  const failing = (kind: LabelKind) => (good === "above" ? below[kind][low]! : n[kind] - below[kind][high]!)
  const between = (kind: LabelKind) => n[kind] - passing(kind) - failing(kind)
  return {
    accepts: passing("bad"),
    rejects: failing("good"),
    unsure: between("good") + between("bad"),
    passes: { good: passing("good"), bad: passing("bad"), other: passing("other") },
  }
}

export interface Rates {
  accepts: Share | null
  rejects: Share | null
  unsure: Share | null
  acceptsPromise: PromiseState | null
  rejectsPromise: PromiseState | null
}

export function ratesAt(chart: Chart, counts: Counts, fpr: number | null, fnr: number | null): Rates {
  const { good, bad } = chart.n
  return {
    accepts: shareOf(counts.accepts, bad),
    rejects: shareOf(counts.rejects, good),
    unsure: shareOf(counts.unsure, good + bad),
    acceptsPromise: fpr === null ? null : promiseState(counts.accepts, bad, fpr),
    rejectsPromise: fnr === null ? null : promiseState(counts.rejects, good, fnr),
  }
}

/** The ROC curve through all places, each point once. */
export function rocOf(chart: Chart, counts: Counts): Roc | null {
  const { good, bad } = chart.n
  if (!good || !bad || chart.auc === null) return null
  const points: Passing[] = []
  for (let at = 0; at < chart.grid.count; at++) {
    const passed = countsAt(chart, { cutoff: at, band: null }).passes
    const point: Passing = [passed.bad / bad, passed.good / good]
    const last = points.at(-1)
    if (!last || last[0] !== point[0] || last[1] !== point[1]) points.push(point)
  }
  if (points[0]![0] > points.at(-1)![0]) points.reverse()
  const passes: Passing = [counts.passes.bad / bad, counts.passes.good / good]
  const auc = chart.good === "above" ? chart.auc : 1 - chart.auc
  return { points, auc, passes, not_failed: null, whole: true }
}

export interface Bar {
  from: number
  to: number
  counts: Record<LabelKind, number>
}

/** Bins to draw, each of several places. */
export function barsOf({ below, n, grid }: Chart, most: number): Bar[] {
  const size = Math.ceil((grid.count - 1) / most)
  const bars: Bar[] = []
  for (let from = 0; from < grid.count - 1; from += size) {
    const to = Math.min(from + size, grid.count - 1)
    const count = (kind: LabelKind) =>
      (to === grid.count - 1 ? n[kind] : below[kind][to]!) - (from === 0 ? 0 : below[kind][from]!)
    bars.push({ from, to, counts: { good: count("good"), bad: count("bad"), other: count("other") } })
  }
  return bars
}
