import { EVERYTHING, outcomesFrom, type Filter } from "./filter"
import { ORDERS, type Order } from "./order"
import type { Index } from "./run"

export const VIEWS = ["overview", "tests", "scores", "grid"] as const
export type View = (typeof VIEWS)[number]

/** What is being looked at: it stands in the page's address, so that it can be sent to others. */
export interface Looked {
  filter: Filter
  /** The row of the test that is open. */
  open: number | null
  view: View
  order: Order
}

/** The part of an address after `#`. Names stand there, not numbers, so that it holds for the next run too. */
export function toHash(index: Index, { filter, open, view, order }: Looked): string {
  const parts = new URLSearchParams()
  if (view !== "overview") parts.set("view", view)
  if (order !== "worst") parts.set("order", order)
  if (filter.outcomes.size) parts.set("outcome", [...filter.outcomes].join(","))
  if (filter.source !== null) parts.set("source", index.sources[filter.source]!)
  if (filter.wording !== null) parts.set("prompt", index.wordings[filter.wording]!)
  if (filter.assertion !== null) parts.set("assertion", assertionName(index, filter.assertion))
  if (filter.steadiness !== null) parts.set("repeats", filter.steadiness)
  if (filter.words.trim()) parts.set("q", filter.words)
  if (open !== null) parts.set("test", testName(index, open))
  return parts.toString()
}

/** What an address asks for; what this run does not know is left out. */
export function fromHash(index: Index, hash: string): Looked {
  const parts = new URLSearchParams(hash.replace(/^#/, ""))
  const steadiness = parts.get("repeats")
  return {
    filter: {
      ...EVERYTHING,
      outcomes: outcomesFrom(parts.get("outcome")),
      source: placeOf(index.sources, parts.get("source")),
      wording: placeOf(index.wordings, parts.get("prompt")),
      assertion: placeOf(
        index.assertions.map((_, at) => assertionName(index, at)),
        parts.get("assertion"),
      ),
      steadiness: steadiness === "steady" || steadiness === "unsteady" ? steadiness : null,
      words: parts.get("q") ?? "",
    },
    open: rowOf(index, parts.get("test")),
    view: VIEWS.find((view) => view === parts.get("view")) ?? "overview",
    order: ORDERS.find((order) => order === parts.get("order")) ?? "worst",
  }
}

export function assertionName(index: Index, at: number): string {
  const { type, metric } = index.assertions[at]!
  return metric ? `${metric} (${type})` : type
}

/** `12` where one source answers in one wording, else `12.1.0`. */
function testName({ rows, sources, wordings }: Index, row: number): string {
  const cell = sources.length > 1 || wordings.length > 1 ? `.${rows.source[row]}.${rows.wording[row]}` : ""
  return `${rows.test[row]}${cell}`
}

function rowOf(index: Index, name: string | null): number | null {
  if (name === null) return null
  const row = index.rows.test.findIndex((_, at) => testName(index, at) === name)
  return row < 0 ? null : row
}

function placeOf(names: string[], name: string | null): number | null {
  const at = name === null ? -1 : names.indexOf(name)
  return at < 0 ? null : at
}
