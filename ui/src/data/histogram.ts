import { OUTCOMES, type Outcome } from "./outcome"
import type { Index, Line } from "./run"
import { along, type Domain } from "./scale"

/** One number that was read, and what it was taken for. */
export interface Point {
  value: number
  outcome: Outcome
}

/** What one measure read over some tests, and the lines it was held against. */
export interface Spread {
  measure: string
  points: Point[]
  lines: Line[]
}

/** The measures whose readings are worth a picture: not those that only ever read 0 or 1. */
export function spreads(index: Index, rows: readonly number[]): Spread[] {
  const points = index.measures.map((): Point[] => [])
  const lines = index.measures.map(() => new Set<number>())
  for (const row of rows) {
    for (const [measure, value, outcome, line] of index.rows.readings[row]!) {
      points[measure]!.push({ value, outcome })
      lines[measure]!.add(line)
    }
  }
  return index.measures
    .map((measure, at) => ({
      measure,
      points: points[at]!,
      lines: [...lines[at]!].map((line) => index.lines[line]!),
    }))
    .filter(({ points }) => points.some(({ value }) => value !== 0 && value !== 1))
}

/** Some readings of one outcome that lie beside each other. */
export interface Bar {
  from: number
  to: number
  outcome: Outcome
  count: number
}

/** The readings as bars of the same width; the last one holds the end of the domain too. */
export function bars(points: readonly Point[], [low, high]: Domain, many = 40): Bar[] {
  const held = new Map<string, Bar>()
  const edge = (at: number) => low + ((high - low) * at) / many
  for (const { value, outcome } of points) {
    const at = Math.min(many - 1, Math.floor(along([low, high], value) * many))
    const bar = held.get(`${at} ${outcome}`) ?? { from: edge(at), to: edge(at + 1), outcome, count: 0 }
    bar.count++
    held.set(`${at} ${outcome}`, bar)
  }
  return [...held.values()].sort(
    (a, b) => a.from - b.from || OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome),
  )
}

/** How many readings there are, and the one in the middle. */
export function middleOf({ points }: Spread): { count: number; median: number } {
  const values = points.map(({ value }) => value).sort((a, b) => a - b)
  return { count: values.length, median: values[Math.floor(values.length / 2)] ?? 0 }
}
