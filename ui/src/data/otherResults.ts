import type { Index } from "./run"

/** The rows of the same test: from other sources first, then with other prompts. */
export function otherResults({ rows }: Index, row: number): number[] {
  const others: number[] = []
  rows.test.forEach((test, at) => {
    if (test === rows.test[row] && at !== row) others.push(at)
  })
  const hasOtherPrompt = (at: number) => Number(rows.wording[at] !== rows.wording[row])
  return others.sort((a, b) => hasOtherPrompt(a) - hasOtherPrompt(b))
}
