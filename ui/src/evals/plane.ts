import type { EvalsIndex } from "../data/evals"
import { factsDiffer, type Axes, type Kind } from "../data/fields"
import { domainOf, along, type Domain } from "../data/scale"
import { shapeAt } from "../data/shapes"

/** Where an answer lies on the picture, in pixels. */
export interface Spot {
  row: number
  x: number
  y: number
  kind: Kind
  hollow: boolean
}

/** The picture's measures: the square that numbers lie in, and a strip at two sides for what is n/a. */
export interface Plane {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** The strip's width; 0 where everything was read. */
  strip: number
  across: Domain
  upwards: Domain
}

/** The names of the fields stand above and below the square: inside they would lie on marks. */
const [LEFT, RIGHT, TOP, BOTTOM, STRIP] = [52, 14, 48, 78, 30]

export function planeOf(index: EvalsIndex, axes: Axes, width: number): Plane {
  const [x, y] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  const unread = [...x, ...y].some((value) => value === null)
  const height = Math.round(Math.max(340, Math.min(width * 0.9, 600)))
  const strip = unread ? STRIP : 0
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

export function placeX(plane: Plane, value: number): number {
  return plane.left + along(plane.across, value) * (plane.right - plane.left)
}

export function placeY(plane: Plane, value: number): number {
  return plane.bottom - along(plane.upwards, value) * (plane.bottom - plane.top)
}

/** Where each of some answers lies; those without a number lie in the strip, beside each other as chance has it. */
export function spotsOf(
  index: EvalsIndex,
  axes: Axes,
  kinds: readonly Kind[],
  rows: readonly number[],
  plane: Plane,
): Spot[] {
  const [xs, ys] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  return rows.map((row) => {
    const [x, y] = [xs[row]!, ys[row]!]
    return {
      row,
      x: x === null ? plane.left - plane.strip * (0.25 + 0.5 * spread(row)) : placeX(plane, x),
      y: y === null ? plane.bottom + plane.strip * (0.25 + 0.5 * spread(row + 7)) : placeY(plane, y),
      kind: kinds[row]!,
      hollow: factsDiffer(index, row),
    }
  })
}

/** A number from 0 to 1 that looks random and is always the same for a row. */
function spread(row: number): number {
  return (row * 0.6180339887) % 1
}

/** How large the marks are: the more there are, the smaller. */
export function sizeOf(count: number): number {
  return count > 2000 ? 2.6 : count > 400 ? 3.4 : 4.6
}

/** The spots as few long paths, one for each kind and filling: thousands of elements would be slow. */
export function pathsOf(spots: readonly Spot[]): { kind: Kind; hollow: boolean; path: string }[] {
  const held = new Map<string, { kind: Kind; hollow: boolean; parts: string[] }>()
  const r = sizeOf(spots.length)
  for (const [spot, ...others] of stacked(spots).values()) {
    const { kind, hollow, x, y } = spot!
    const key = `${kind} ${hollow}`
    const one = held.get(key) ?? { kind, hollow, parts: [] }
    one.parts.push(shapeAt(kind, x, y, r * (1 + 0.22 * Math.log2(1 + others.length))))
    held.set(key, one)
  }
  return [...held.values()].map(({ kind, hollow, parts }) => ({ kind, hollow, path: parts.join("") }))
}

/** The spots that look alike at the same place: one mark, which is the larger the more they are. */
function stacked(spots: readonly Spot[]): Map<string, Spot[]> {
  const held = new Map<string, Spot[]>()
  for (const spot of spots) {
    const key = placeOf(spot)
    const there = held.get(key)
    if (there) there.push(spot)
    else held.set(key, [spot])
  }
  return held
}

function placeOf({ kind, hollow, x, y }: Spot): string {
  return `${kind} ${hollow} ${Math.round(x)} ${Math.round(y)}`
}

/** Those that lie under the same mark, in the order of the list. */
export function sharing(spots: readonly Spot[], spot: Spot): Spot[] {
  const place = placeOf(spot)
  return spots.filter((one) => placeOf(one) === place)
}

/** The one to open at a mark: the first under it, or the one after that which is open already. */
export function nextAt(spots: readonly Spot[], spot: Spot, open: number | null): Spot {
  const there = sharing(spots, spot)
  return there[(there.findIndex(({ row }) => row === open) + 1) % there.length]!
}

/** The spot nearest to a place, if one is near enough to be meant. */
export function nearest(spots: readonly Spot[], x: number, y: number, within = 18): Spot | null {
  let found: Spot | null = null
  let least = within * within
  for (const spot of spots) {
    const away = (spot.x - x) ** 2 + (spot.y - y) ** 2
    if (away < least) [found, least] = [spot, away]
  }
  return found
}
