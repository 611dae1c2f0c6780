/** Numbers as they are read: `0.837`, `1,234`, `1.2 s`. */
export function decimals(value: number): string {
  return Math.abs(value) >= 100 ? whole(Math.round(value)) : value.toFixed(3)
}

export function whole(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")
}

/** A share that never looks complete when it is not: 9,999 of 10,000 are 99.9%. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`
  return `${(Math.min(999, Math.max(1, Math.round(share * 1000))) / 10).toFixed(1)}%`
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : several}`
}

export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** A value of a test as a text: texts as they are, everything else as JSON. */
export function plainly(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2)
}
