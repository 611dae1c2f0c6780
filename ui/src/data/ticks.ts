/** Ticks of an axis from 0% to 100%. */
export const QUARTERS = [0, 0.25, 0.5, 0.75, 1]

export function tick(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** A number with its sign; the minus is as wide as the plus. */
export function signed(value: number, digits = 3): string {
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(digits)}`
}
