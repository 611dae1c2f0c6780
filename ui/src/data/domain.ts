import type { Cutoff } from "./run"

/** The range of an axis. */
export type Domain = readonly [low: number, high: number]

/** A rounded domain with all numbers: similarity has 0 to 1, extended below 0 as far as needed. */
export function domainOf(numbers: readonly number[]): Domain {
  const low = numbers.reduce((lowest, number) => Math.min(lowest, number), 0)
  const high = numbers.reduce((highest, number) => Math.max(highest, number), 0)
  if (low >= -1 && high <= 1) return [Math.floor(low * 10) / 10, 1]
  const margin = (high - low) * 0.08
  return [low < 0 ? low - margin : 0, high > 0 ? high + margin : 0]
}

export function domainWithCutoff(value: number, cutoff: Cutoff | undefined): Domain {
  return domainOf(cutoff ? [value, cutoff.line, ...(cutoff.doubt ?? [])] : [value])
}

/** The position of a number in a domain, from 0 to 1. */
export function fraction([low, high]: Domain, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}
