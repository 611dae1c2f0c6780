import { isOutcome, type Outcome } from "./outcome"
import type { Index } from "./run"

export type Consistency = "consistent" | "inconsistent"

/** Which tests are listed; an empty or null field excludes none. */
export interface Filter {
  outcomes: ReadonlySet<Outcome>
  source: number | null
  prompt: number | null
  assertion: number | null
  consistency: Consistency | null
  query: string
}

export const NO_FILTER: Filter = {
  outcomes: new Set(),
  source: null,
  prompt: null,
  assertion: null,
  consistency: null,
  query: "",
}

export function isNoFilter(filter: Filter): boolean {
  const { outcomes, source, prompt, assertion, consistency, query } = filter
  return (
    !outcomes.size &&
    !query.trim() &&
    [source, prompt, assertion, consistency].every((chosen) => chosen === null)
  )
}

/** Indexes of the rows that match the filter; `textOf` gives the searchable text in lower case. */
export function filterRows(index: Index, filter: Filter, textOf: (row: number) => string): number[] {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean)
  const matching: number[] = []
  for (let row = 0; row < index.rows.test.length; row++) {
    if (matchesChoices(index, filter, row) && matchesQuery(words, textOf, row)) matching.push(row)
  }
  return matching
}

function matchesChoices({ rows }: Index, filter: Filter, row: number): boolean {
  const { outcomes, source, prompt, assertion, consistency } = filter
  if (outcomes.size && !outcomes.has(rows.outcome[row]!)) return false
  if (source !== null && rows.source[row] !== source) return false
  if (prompt !== null && rows.wording[row] !== prompt) return false
  if (assertion !== null && !rows.assertions[row]!.some(([which]) => which === assertion)) return false
  return consistency === null || rows.consistency[row]!.startsWith(consistency)
}

function matchesQuery(words: string[], textOf: (row: number) => string, row: number): boolean {
  if (!words.length) return true
  const text = textOf(row)
  return words.every((word) => text.includes(word))
}

/** The filter with an outcome added or removed. */
export function toggleOutcome(filter: Filter, outcome: Outcome): Filter {
  const outcomes = new Set(filter.outcomes)
  if (!outcomes.delete(outcome)) outcomes.add(outcome)
  return { ...filter, outcomes }
}

export function outcomesFrom(text: string | null): Set<Outcome> {
  return new Set((text ?? "").split(",").filter(isOutcome))
}
