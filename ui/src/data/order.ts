import type { Outcome } from "./outcome"
import type { Index } from "./run"

/** How the tests are listed: what wants looking at first, or as they stand in the battery. */
export const ORDERS = ["worst", "file"] as const
export type Order = (typeof ORDERS)[number]

const WORST_FIRST: readonly Outcome[] = ["error", "fail", "unsure", "measured", "pass"]

/** The rows in an order; those of the same outcome stay as they stood. */
export function ordered({ rows }: Index, listed: readonly number[], order: Order): readonly number[] {
  if (order === "file") return listed
  return WORST_FIRST.flatMap((outcome) => listed.filter((row) => rows.outcome[row] === outcome))
}
