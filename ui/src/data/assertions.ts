import type { Outcome } from "./outcome"
import type { Index } from "./run"

/** The results of one assertion over some tests. */
export interface OutcomeSummary {
  at: number
  counts: Record<Outcome, number>
  total: number
  /** Mean score, where there is one. */
  mean: number | null
}

export function emptyCounts(): Record<Outcome, number> {
  return { pass: 0, fail: 0, unsure: 0, error: 0, measured: 0 }
}

/** Each assertion of the run, over the given tests. */
export function summarizeAssertions(index: Index, rows: readonly number[]): OutcomeSummary[] {
  const summaries = index.assertions.map((_, at) => ({
    at,
    counts: emptyCounts(),
    total: 0,
    scoreSum: 0,
    scored: 0,
  }))
  for (const row of rows) {
    for (const [at, outcome, score] of index.rows.assertions[row]!) {
      const sum = summaries[at]!
      sum.counts[outcome]++
      sum.total++
      if (score === null) continue
      sum.scoreSum += score
      sum.scored++
    }
  }
  return summaries
    .filter(({ total }) => total > 0)
    .map(({ scoreSum, scored, ...sum }) => ({ ...sum, mean: scored ? scoreSum / scored : null }))
}

/** How many of the given tests had which outcome. */
export function countOutcomes(index: Index, rows: readonly number[]): Record<Outcome, number> {
  const counts = emptyCounts()
  for (const row of rows) counts[index.rows.outcome[row]!]++
  return counts
}
