import type { EvalsIndex } from "./evals"
import type { Axes, Kind } from "./fields"

/** Which answers are to be seen; what is empty lets all of them through. */
export interface EvalsFilter {
  kinds: ReadonlySet<Kind>
  /** Only those of which a fact differs. */
  differing: boolean
  /** By key, the number of the value. */
  slices: Readonly<Record<string, number>>
  words: string
}

export const ALL: EvalsFilter = { kinds: new Set(), differing: false, slices: {}, words: "" }

export function isAll({ kinds, differing, slices, words }: EvalsFilter): boolean {
  return !kinds.size && !differing && !words.trim() && !Object.keys(slices).length
}

interface Known {
  kinds: readonly Kind[]
  differs: (row: number) => boolean
  /** What can be found by words, in small letters. */
  said: (row: number) => string
}

/** The numbers of the rows that fit. */
export function fittingRows({ rows }: EvalsIndex, filter: EvalsFilter, known: Known): number[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = Object.entries(filter.slices)
  const fits: number[] = []
  for (let row = 0; row < rows.id.length; row++) {
    if (filter.kinds.size && !filter.kinds.has(known.kinds[row]!)) continue
    if (filter.differing && !known.differs(row)) continue
    if (!wanted.every(([key, value]) => rows.slices[key]?.rows[row] === value)) continue
    if (words.length && !words.every((word) => known.said(row).includes(word))) continue
    fits.push(row)
  }
  return fits
}

export const EVALS_ORDERS = ["apart", "lowest", "file"] as const
export type EvalsOrder = (typeof EVALS_ORDERS)[number]

/** Where the two metrics are furthest apart first, or the lowest across; what is n/a comes last. */
export function orderedRows(
  { rows }: EvalsIndex,
  listed: readonly number[],
  order: EvalsOrder,
  axes: Axes | null,
): number[] {
  if (order === "file" || !axes) return [...listed]
  const [x, y] = [rows.values[axes.across]!, rows.values[axes.upwards]!]
  const weight = (row: number): number => {
    const [across, upwards] = [x[row]!, y[row]!]
    if (across === null || upwards === null) return -Infinity
    return order === "apart" ? Math.abs(across - upwards) : -across
  }
  return [...listed].sort((one, other) => {
    const [a, b] = [weight(one), weight(other)]
    return a === b ? one - other : b - a
  })
}
