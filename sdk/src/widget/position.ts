/** In CSS pixels, from the upper left corner of the viewport. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The visible part of the page; the window is taller if a keyboard covers a part of it. */
export interface Viewport {
  readonly width: number
  readonly height: number
  /** Height of the window. */
  readonly full: number
}

/** Lengths by CSS property; `--max` limits the dialog. */
export type Position = Readonly<Record<string, number>>

/** Free space at the edges of the window, and around the selection. */
export const MARGIN = 12
const PANEL_WIDTH = 384
const MIN_PANEL_HEIGHT = 340

/** The value, limited to the bounds; if they contradict, the lower bound wins. */
export const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max))

/**
 * Below the selection, above it or next to it; without enough space there, at the lower edge. In a small window
 * it is a bottom styleSheet, without `left`.
 */
export function panelPosition(selection: Box, { width, height, full }: Viewport, isRtl: boolean): Position {
  if (width < 520 || height < 440) {
    return {
      bottom: full - height,
      "--max": Math.max(height * 0.6, Math.min(height - 16, 320)),
    }
  }
  const maxLeft = width - PANEL_WIDTH - MARGIN
  const left = clamp(isRtl ? selection.right - PANEL_WIDTH : selection.left, MARGIN, maxLeft)
  // Only the visible part of a selection counts.
  const above = Math.min(selection.top, height) - MARGIN
  const below = Math.max(selection.bottom, 0) + MARGIN
  const sides = [selection.right + MARGIN, selection.left - MARGIN - PANEL_WIDTH]
  const candidates = [
    { left, top: below, "--max": height - MARGIN - below },
    { left, bottom: full - above, "--max": above - MARGIN },
    ...sides.map((side) => ({ left: side, top: MARGIN, "--max": height - 2 * MARGIN })),
  ]
  const fits = (candidate: (typeof candidates)[0]) =>
    candidate["--max"] >= MIN_PANEL_HEIGHT && candidate.left >= MARGIN && candidate.left <= maxLeft
  return candidates.find(fits) ?? { left, bottom: full - height + MARGIN, "--max": height * 0.6 }
}

/** At the end of the selection: below its last line, or above its `top` near the lower edge. */
export function buttonPosition(
  top: number,
  last: Box,
  { width, height }: { width: number; height: number },
  view: Viewport,
  isRtl: boolean,
  gap: number,
): Position {
  const maxTop = view.height - height - MARGIN
  const below = last.bottom + gap
  return {
    left: clamp(isRtl ? last.left : last.right - width, MARGIN, view.width - width - MARGIN),
    top: clamp(below <= maxTop ? below : top - gap - height, MARGIN, maxTop),
  }
}
