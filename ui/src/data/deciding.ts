import type { Detail, Index } from "../data/run"

/** The first run that came out as the test did. */
export function deciding({ rows }: Index, row: number, { runs }: Detail): number {
  return Math.max(
    0,
    runs.findIndex((run) => run.outcome === rows.outcome[row]),
  )
}
