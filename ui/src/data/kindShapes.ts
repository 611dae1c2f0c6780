import type { Kind } from "./kinds"

/** The mark of each kind around (0, 0), recognizable by shape alone. */
const SHAPES: Record<Kind, (r: number) => string> = {
  good: (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  paraphrase: (r) => `m${-0.88 * r} ${-0.88 * r}h${1.76 * r}v${1.76 * r}h${-1.76 * r}z`,
  close: (r) => `m0 ${1.25 * r}l${1.15 * r} ${-2.1 * r}h${-2.3 * r}z`,
  changed: (r) => `m0 ${-1.25 * r}l${1.15 * r} ${2.1 * r}h${-2.3 * r}z`,
  bad: (r) => `m0 ${-1.25 * r}l${1.25 * r} ${1.25 * r}l${-1.25 * r} ${1.25 * r}l${-1.25 * r} ${-1.25 * r}z`,
  na: (r) => `m${-r} 0h${2 * r}m${-r} ${-r}v${2 * r}`,
}

/** The mark of a kind, centred at a point. */
export function shapeAt(kind: Kind, x: number, y: number, r: number): string {
  return `M${x.toFixed(1)} ${y.toFixed(1)}${SHAPES[kind](r)}`
}
