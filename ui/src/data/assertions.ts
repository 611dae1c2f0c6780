import type { Outcome } from "./outcome"
import type { Index } from "./run"

/** How one assertion came out over some tests. */
export interface Sum {
  at: number
  counts: Record<Outcome, number>
  total: number
  /** The mean of what it was worth, where that could be told. */
  mean: number | null
}

export function noCounts(): Record<Outcome, number> {
  return { pass: 0, fail: 0, unsure: 0, error: 0, measured: 0 }
}

/** Each assertion of the run, over the tests given. */
export function sums(index: Index, rows: readonly number[]): Sum[] {
  const held = index.assertions.map((_, at) => ({ at, counts: noCounts(), total: 0, worth: 0, judged: 0 }))
  for (const row of rows) {
    for (const [at, outcome, score] of index.rows.assertions[row]!) {
      const sum = held[at]!
      sum.counts[outcome]++
      sum.total++
      if (score === null) continue
      sum.worth += score
      sum.judged++
    }
  }
  return held
    .filter(({ total }) => total > 0)
    .map(({ worth, judged, ...sum }) => ({ ...sum, mean: judged ? worth / judged : null }))
}

/** How many of the tests given had which outcome. */
export function countsOf(index: Index, rows: readonly number[]): Record<Outcome, number> {
  const counts = noCounts()
  for (const row of rows) counts[index.rows.outcome[row]!]++
  return counts
}
