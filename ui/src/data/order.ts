import type { Outcome } from "./outcome"
import type { Index } from "./run"

/** How the tests are sorted: worst outcome first, or as in the battery. */
export const ORDERS = ["worst", "file"] as const
export type Order = (typeof ORDERS)[number]

const WORST_FIRST: readonly Outcome[] = ["error", "fail", "unsure", "measured", "pass"]

/** The sorted rows; the sort is stable. */
export function sortRows({ rows }: Index, listed: readonly number[], order: Order): readonly number[] {
  if (order === "file") return listed
  return WORST_FIRST.flatMap((outcome) => listed.filter((row) => rows.outcome[row] === outcome))
}
