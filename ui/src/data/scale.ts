import type { Line } from "./run"

/** From where to where a bar goes. */
export type Domain = readonly [low: number, high: number]

/** The round domain that holds all numbers: closeness goes from 0 to 1, and as far below 0 as something lies there. */
export function domainOf(numbers: readonly number[]): Domain {
  const low = numbers.reduce((least, number) => Math.min(least, number), 0)
  const high = numbers.reduce((most, number) => Math.max(most, number), 0)
  if (low >= -1 && high <= 1) return [Math.floor(low * 10) / 10, 1]
  const room = (high - low) * 0.08
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0]
}

export function domainWith(value: number, line: Line | undefined): Domain {
  return domainOf(line ? [value, line.line, ...(line.doubt ?? [])] : [value])
}

/** How far along a domain a number lies, from 0 to 1. */
export function along([low, high]: Domain, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}
