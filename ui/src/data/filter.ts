import { isOutcome, type Outcome } from "./outcome"
import type { Index } from "./run"

export type Steadiness = "steady" | "unsteady"

/** Which tests are to be seen; what is empty or null lets all of them through. */
export interface Filter {
  outcomes: ReadonlySet<Outcome>
  source: number | null
  wording: number | null
  assertion: number | null
  steadiness: Steadiness | null
  words: string
}

export const EVERYTHING: Filter = {
  outcomes: new Set(),
  source: null,
  wording: null,
  assertion: null,
  steadiness: null,
  words: "",
}

export function isEverything(filter: Filter): boolean {
  const { outcomes, source, wording, assertion, steadiness, words } = filter
  return (
    !outcomes.size &&
    !words.trim() &&
    [source, wording, assertion, steadiness].every((chosen) => chosen === null)
  )
}

/** The numbers of the rows that fit; `said` is what can be found by words, in small letters. */
export function fitting(index: Index, filter: Filter, said: (row: number) => string): number[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits: number[] = []
  for (let row = 0; row < index.rows.test.length; row++) {
    if (fitsChoice(index, filter, row) && fitsWords(words, said, row)) fits.push(row)
  }
  return fits
}

function fitsChoice({ rows }: Index, filter: Filter, row: number): boolean {
  const { outcomes, source, wording, assertion, steadiness } = filter
  if (outcomes.size && !outcomes.has(rows.outcome[row]!)) return false
  if (source !== null && rows.source[row] !== source) return false
  if (wording !== null && rows.wording[row] !== wording) return false
  if (assertion !== null && !rows.assertions[row]!.some(([which]) => which === assertion)) return false
  return (
    steadiness === null ||
    rows.consistency[row]!.startsWith(steadiness === "steady" ? "consistent" : "inconsistent")
  )
}

function fitsWords(words: string[], said: (row: number) => string, row: number): boolean {
  if (!words.length) return true
  const text = said(row)
  return words.every((word) => text.includes(word))
}

/** The filter with one outcome more, or one less. */
export function toggled(filter: Filter, outcome: Outcome): Filter {
  const outcomes = new Set(filter.outcomes)
  if (!outcomes.delete(outcome)) outcomes.add(outcome)
  return { ...filter, outcomes }
}

export function outcomesFrom(text: string | null): Set<Outcome> {
  return new Set((text ?? "").split(",").filter(isOutcome))
}
