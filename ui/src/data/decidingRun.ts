import type { Detail, Index } from "../data/run"

/** Index of the first run with the outcome of the test. */
export function decidingRun({ rows }: Index, row: number, { runs }: Detail): number {
  return Math.max(
    0,
    runs.findIndex((run) => run.outcome === rows.outcome[row]),
  )
}
