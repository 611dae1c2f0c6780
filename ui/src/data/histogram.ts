import { OUTCOMES, type Outcome } from "./outcome"
import type { Index, Cutoff } from "./run"
import { fraction, type Domain } from "./domain"

/** One score with its outcome. */
export interface Point {
  value: number
  outcome: Outcome
}

/** The scores of one measure over some tests, and the cutoffs they were compared with. */
export interface Distribution {
  measure: string
  points: Point[]
  cutoffs: Cutoff[]
}

/** The distributions that are worth a chart: not of measures with only scores of 0 and 1. */
export function distributions(index: Index, rows: readonly number[]): Distribution[] {
  const points = index.measures.map((): Point[] => [])
  const cutoffs = index.measures.map(() => new Set<number>())
  for (const row of rows) {
    for (const [measure, value, outcome, cutoff] of index.rows.readings[row]!) {
      points[measure]!.push({ value, outcome })
      cutoffs[measure]!.add(cutoff)
    }
  }
  return index.measures
    .map((measure, at) => ({
      measure,
      points: points[at]!,
      cutoffs: [...cutoffs[at]!].map((cutoff) => index.lines[cutoff]!),
    }))
    .filter(({ points }) => points.some(({ value }) => value !== 0 && value !== 1))
}

/** A bar of the histogram: the scores of one outcome in one bin. */
export interface Bar {
  from: number
  to: number
  outcome: Outcome
  count: number
}

/** The scores as bars of equal width; the last bin includes the end of the domain. */
export function histogramBars(points: readonly Point[], [low, high]: Domain, binCount = 40): Bar[] {
  const byBin = new Map<string, Bar>()
  const edge = (at: number) => low + ((high - low) * at) / binCount
  for (const { value, outcome } of points) {
    const at = Math.min(binCount - 1, Math.floor(fraction([low, high], value) * binCount))
    const bar = byBin.get(`${at} ${outcome}`) ?? { from: edge(at), to: edge(at + 1), outcome, count: 0 }
    bar.count++
    byBin.set(`${at} ${outcome}`, bar)
  }
  return [...byBin.values()].sort(
    (a, b) => a.from - b.from || OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome),
  )
}

/** Number of scores, and their median. */
export function countAndMedian({ points }: Distribution): { count: number; median: number } {
  const values = points.map(({ value }) => value).sort((a, b) => a - b)
  return { count: values.length, median: values[Math.floor(values.length / 2)] ?? 0 }
}
