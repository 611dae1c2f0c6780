/** In CSS pixels, from the upper left corner of what is seen of the page. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How much is seen of the page; the whole window is taller when a keyboard covers a part of it. */
export interface Room {
  readonly width: number
  readonly height: number
  readonly whole: number
}

/** Lengths by the names of their properties; `--room` is how tall the dialog may get. */
export type Spot = Readonly<Record<string, number>>

/** Kept free at the edges of the window, and around the selection. */
export const EDGE = 12
const PANEL_WIDTH = 384
const ENOUGH = 340

/** The value, or the bound that is nearest to it; of two that contradict each other, the least. */
export const within = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/**
 * Below the selection, above it or beside it; where none of these has room, at the lower edge. In a small
 * window it is a sheet at the lower edge, without a `left`.
 */
export function panelSpot(selection: Box, { width, height, whole }: Room, isRtl: boolean): Spot {
  if (width < 520 || height < 440) {
    return { bottom: whole - height, "--room": Math.max(height * 0.6, Math.min(height - 16, 320)) }
  }
  const furthest = width - PANEL_WIDTH - EDGE
  const left = within(isRtl ? selection.right - PANEL_WIDTH : selection.left, EDGE, furthest)
  // Of a selection that goes beyond the window, the part that is seen counts.
  const above = Math.min(selection.top, height) - EDGE
  const below = Math.max(selection.bottom, 0) + EDGE
  const beside = [selection.right + EDGE, selection.left - EDGE - PANEL_WIDTH]
  const spots = [
    { left, top: below, "--room": height - EDGE - below },
    { left, bottom: whole - above, "--room": above - EDGE },
    ...beside.map((side) => ({ left: side, top: EDGE, "--room": height - 2 * EDGE })),
  ]
  const fits = (spot: (typeof spots)[0]) =>
    spot["--room"] >= ENOUGH && spot.left >= EDGE && spot.left <= furthest
  return spots.find(fits) ?? { left, bottom: whole - height + EDGE, "--room": height * 0.6 }
}

/** At the end of the selection: below its last line, or above its `top` at the lower edge. */
export function buttonSpot(
  top: number,
  last: Box,
  { width, height }: { width: number; height: number },
  room: Room,
  isRtl: boolean,
  gap: number,
): Spot {
  const lowest = room.height - height - EDGE
  const below = last.bottom + gap
  return {
    left: within(isRtl ? last.left : last.right - width, EDGE, room.width - width - EDGE),
    top: within(below <= lowest ? below : top - gap - height, EDGE, lowest),
  }
}
