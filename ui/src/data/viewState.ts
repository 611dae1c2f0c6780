import { NO_FILTER, outcomesFrom, type Filter } from "./filter"
import { ORDERS, type Order } from "./order"
import type { Index } from "./run"

export const VIEWS = ["overview", "tests", "scores", "grid"] as const
export type View = (typeof VIEWS)[number]

/** What the page shows. It is stored in the page's address, so that a link shows the same. */
export interface ViewState {
  filter: Filter
  /** Row of the open test. */
  open: number | null
  view: View
  order: Order
}

/** The part of an address after `#`. It has names, not indexes, so that it works for the next run too. */
export function toHash(index: Index, { filter, open, view, order }: ViewState): string {
  const parts = new URLSearchParams()
  if (view !== "overview") parts.set("view", view)
  if (order !== "worst") parts.set("order", order)
  if (filter.outcomes.size) parts.set("outcome", [...filter.outcomes].join(","))
  if (filter.source !== null) parts.set("source", index.sources[filter.source]!)
  if (filter.prompt !== null) parts.set("prompt", index.wordings[filter.prompt]!)
  if (filter.assertion !== null) parts.set("assertion", assertionName(index, filter.assertion))
  if (filter.consistency !== null) parts.set("repeats", filter.consistency)
  if (filter.query.trim()) parts.set("q", filter.query)
  if (open !== null) parts.set("test", testName(index, open))
  return parts.toString()
}

/** The state that an address describes; what is unknown in this run is ignored. */
export function fromHash(index: Index, hash: string): ViewState {
  const parts = new URLSearchParams(hash.replace(/^#/, ""))
  const consistency = parts.get("repeats")
  return {
    filter: {
      ...NO_FILTER,
      outcomes: outcomesFrom(parts.get("outcome")),
      source: indexOrNull(index.sources, parts.get("source")),
      prompt: indexOrNull(index.wordings, parts.get("prompt")),
      assertion: indexOrNull(
        index.assertions.map((_, at) => assertionName(index, at)),
        parts.get("assertion"),
      ),
      consistency: consistency === "consistent" || consistency === "inconsistent" ? consistency : null,
      query: parts.get("q") ?? "",
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

/** `12` for a run with one source and one prompt, otherwise `12.1.0`. */
function testName({ rows, sources, wordings }: Index, row: number): string {
  const suffix = sources.length > 1 || wordings.length > 1 ? `.${rows.source[row]}.${rows.wording[row]}` : ""
  return `${rows.test[row]}${suffix}`
}

function rowOf(index: Index, name: string | null): number | null {
  if (name === null) return null
  const row = index.rows.test.findIndex((_, at) => testName(index, at) === name)
  return row < 0 ? null : row
}

function indexOrNull(names: string[], name: string | null): number | null {
  const at = name === null ? -1 : names.indexOf(name)
  return at < 0 ? null : at
}
