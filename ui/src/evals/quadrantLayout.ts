import type { EvalsIndex } from "../data/evals"
import { factsDiffer, type Axes, type Kind } from "../data/kinds"
import { domainOf, fraction, type Domain } from "../data/domain"
import { shapeAt } from "../data/kindShapes"

/** The position of an answer in the chart, in pixels. */
export interface Point {
  row: number
  x: number
  y: number
  kind: Kind
  hollow: boolean
}

/** The dimensions of the chart: the plot area, and a strip at two sides for n/a. */
export interface Layout {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** Width of the strip; 0 if there is no n/a. */
  strip: number
  across: Domain
  upwards: Domain
}

/** Margins; the names of the quadrants are above and below the plot area, so that they cover no mark. */
const [LEFT, RIGHT, TOP, BOTTOM, STRIP] = [52, 14, 48, 78, 30]

export function layoutOf(index: EvalsIndex, axes: Axes, width: number): Layout {
  const [x, y] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  const hasMissing = [...x, ...y].some((value) => value === null)
  const height = Math.round(Math.max(340, Math.min(width * 0.9, 600)))
  const strip = hasMissing ? STRIP : 0
  return {
    width,
    height,
    left: LEFT + strip,
    right: width - RIGHT,
    top: TOP,
    bottom: height - BOTTOM - strip,
    strip,
    across: domainOf(x.filter((value) => value !== null)),
    upwards: domainOf(y.filter((value) => value !== null)),
  }
}

export function toX(layout: Layout, value: number): number {
  return layout.left + fraction(layout.across, value) * (layout.right - layout.left)
}

export function toY(layout: Layout, value: number): number {
  return layout.bottom - fraction(layout.upwards, value) * (layout.bottom - layout.top)
}

/** The position of each answer; answers without a score are distribution over the strip. */
export function pointsOf(
  index: EvalsIndex,
  axes: Axes,
  kinds: readonly Kind[],
  rows: readonly number[],
  layout: Layout,
): Point[] {
  const [xs, ys] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  return rows.map((row) => {
    const [x, y] = [xs[row]!, ys[row]!]
    return {
      row,
      x: x === null ? layout.left - layout.strip * (0.25 + 0.5 * jitter(row)) : toX(layout, x),
      y: y === null ? layout.bottom + layout.strip * (0.25 + 0.5 * jitter(row + 7)) : toY(layout, y),
      kind: kinds[row]!,
      hollow: factsDiffer(index, row),
    }
  })
}

/** A pseudo-random number from 0 to 1 that is always the same for a row. */
function jitter(row: number): number {
  return (row * 0.6180339887) % 1
}

/** Radius of the marks: the more there are, the smaller. */
export function markRadius(count: number): number {
  return count > 2000 ? 2.6 : count > 400 ? 3.4 : 4.6
}

/** The points as one path per kind and fill: thousands of elements would be slow. */
export function pathsOf(points: readonly Point[]): { kind: Kind; hollow: boolean; path: string }[] {
  const groups = new Map<string, { kind: Kind; hollow: boolean; parts: string[] }>()
  const r = markRadius(points.length)
  for (const [point, ...others] of stacked(points).values()) {
    const { kind, hollow, x, y } = point!
    const key = `${kind} ${hollow}`
    const one = groups.get(key) ?? { kind, hollow, parts: [] }
    one.parts.push(shapeAt(kind, x, y, r * (1 + 0.22 * Math.log2(1 + others.length))))
    groups.set(key, one)
  }
  return [...groups.values()].map(({ kind, hollow, parts }) => ({ kind, hollow, path: parts.join("") }))
}

/** The points of the same kind at the same position: one mark, which grows with their number. */
function stacked(points: readonly Point[]): Map<string, Point[]> {
  const groups = new Map<string, Point[]>()
  for (const point of points) {
    const key = markKey(point)
    const there = groups.get(key)
    if (there) there.push(point)
    else groups.set(key, [point])
  }
  return groups
}

function markKey({ kind, hollow, x, y }: Point): string {
  return `${kind} ${hollow} ${Math.round(x)} ${Math.round(y)}`
}

/** The points under the same mark, in list order. */
export function pointsUnderMark(points: readonly Point[], point: Point): Point[] {
  const place = markKey(point)
  return points.filter((one) => markKey(one) === place)
}

/** The point to open at a mark: the first under it, or the one after the open one. */
export function nextUnderMark(points: readonly Point[], point: Point, open: number | null): Point {
  const there = pointsUnderMark(points, point)
  return there[(there.findIndex(({ row }) => row === open) + 1) % there.length]!
}

/** The point nearest to a position, if it is near enough. */
export function nearest(points: readonly Point[], x: number, y: number, within = 18): Point | null {
  let closest: Point | null = null
  let least = within * within
  for (const point of points) {
    const distance = (point.x - x) ** 2 + (point.y - y) ** 2
    if (distance < least) [closest, least] = [point, distance]
  }
  return closest
}
