import type { Index } from "./run"

/** The rows of the same test from other sources, and after them those in other wordings. */
export function siblings({ rows }: Index, row: number): number[] {
  const others: number[] = []
  rows.test.forEach((test, at) => {
    if (test === rows.test[row] && at !== row) others.push(at)
  })
  const elsewhere = (at: number) => Number(rows.wording[at] !== rows.wording[row])
  return others.sort((a, b) => elsewhere(a) - elsewhere(b))
}
