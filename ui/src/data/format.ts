/** Numbers for display: `0.837`, `1,234`, `1.2 s`. */
export function decimals(value: number): string {
  return Math.abs(value) >= 100 ? integer(Math.round(value)) : value.toFixed(3)
}

export function integer(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")
}

/** A share that is shown as 100% only if it is: 9,999 of 10,000 are 99.9%. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`
  return `${(Math.min(999, Math.max(1, Math.round(share * 1000))) / 10).toFixed(1)}%`
}

export function plural(count: number, singular: string, pluralForm = `${singular}s`): string {
  return `${integer(count)} ${count === 1 ? singular : pluralForm}`
}

export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** A value as a text: strings as they are, everything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2)
}
