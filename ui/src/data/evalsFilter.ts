import type { EvalsIndex } from "./evals"
import type { Axes, Kind } from "./kinds"

/** Which answers are listed; an empty field excludes none. */
export interface PairFilter {
  kinds: ReadonlySet<Kind>
  /** Only answers with a fact that differs. */
  differing: boolean
  /** Index of the chosen value, by key. */
  slices: Readonly<Record<string, number>>
  query: string
}

export const NO_PAIR_FILTER: PairFilter = { kinds: new Set(), differing: false, slices: {}, query: "" }

export function isNoPairFilter({ kinds, differing, slices, query }: PairFilter): boolean {
  return !kinds.size && !differing && !query.trim() && !Object.keys(slices).length
}

interface PairProperties {
  kinds: readonly Kind[]
  differs: (row: number) => boolean
  /** The searchable text, in lower case. */
  textOf: (row: number) => string
}

/** Indexes of the rows that match the filter. */
export function filterPairs({ rows }: EvalsIndex, filter: PairFilter, pairs: PairProperties): number[] {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean)
  const chosenSlices = Object.entries(filter.slices)
  const matching: number[] = []
  for (let row = 0; row < rows.id.length; row++) {
    if (filter.kinds.size && !filter.kinds.has(pairs.kinds[row]!)) continue
    if (filter.differing && !pairs.differs(row)) continue
    if (!chosenSlices.every(([key, value]) => rows.slices[key]?.rows[row] === value)) continue
    if (words.length && !words.every((word) => pairs.textOf(row).includes(word))) continue
    matching.push(row)
  }
  return matching
}

export const PAIR_ORDERS = ["difference", "lowest", "file"] as const
export type PairOrder = (typeof PAIR_ORDERS)[number]

/** Largest difference between the two metrics first, or lowest on the x-axis; n/a comes last. */
export function sortPairs(
  { rows }: EvalsIndex,
  listed: readonly number[],
  order: PairOrder,
  axes: Axes | null,
): number[] {
  if (order === "file" || !axes) return [...listed]
  const [x, y] = [rows.values[axes.across]!, rows.values[axes.upwards]!]
  const weight = (row: number): number => {
    const [across, upwards] = [x[row]!, y[row]!]
    if (across === null || upwards === null) return -Infinity
    return order === "difference" ? Math.abs(across - upwards) : -across
  }
  return [...listed].sort((one, other) => {
    const [a, b] = [weight(one), weight(other)]
    return a === b ? one - other : b - a
  })
}
