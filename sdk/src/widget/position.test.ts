import { expect, test } from "vitest"
import { type Box, buttonPosition, type Position, panelPosition } from "./position.ts"

const DESK = { width: 1280, height: 800, full: 800 }
const WIDTH = 384

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom })

/** The tallest that the dialog gets there. */
function filled(position: Position, height: number): Box {
  const { left = 0, top, bottom = 0, "--max": room = 0 } = position
  const tall = Math.min(room, 600)
  const upper = top ?? height - bottom - tall
  return box(left, upper, left + WIDTH, upper + tall)
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

test("below a selection at the top, above one at the bottom", () => {
  expect(panelPosition(box(300, 100, 700, 140), DESK, false)).toMatchObject({ left: 300, top: 152 })
  expect(panelPosition(box(300, 700, 700, 740), DESK, false)).toMatchObject({ left: 300, bottom: 112 })
})

test("at the other end in a page from right to left", () => {
  expect(panelPosition(box(300, 100, 900, 140), DESK, true).left).toBe(900 - WIDTH)
})

test("next to a selection without space above and below", () => {
  expect(panelPosition(box(100, 10, 600, 790), DESK, false).left).toBe(612)
  expect(panelPosition(box(700, 10, 1200, 790), DESK, false).left).toBe(700 - 12 - WIDTH)
})

test("at the lower edge over a selection that fills the window", () => {
  expect(panelPosition(box(0, -500, 1280, 2000), DESK, false)).toMatchObject({
    left: 12,
    bottom: 12,
  })
})

test("inside the window always, and over the selection only without other space", () => {
  for (const width of [520, 768, 1280, 2560]) {
    for (const height of [440, 600, 800, 1440]) {
      for (let top = -200; top < height; top += 37) {
        for (const tall of [20, 150, 400, 1500]) {
          for (const [left, right] of [
            [0, width],
            [40, 240],
            [width - 150, width - 5],
          ] as const) {
            const selection = box(left, top, right, top + tall)
            const position = filled(
              panelPosition(selection, { width, height, full: height }, top % 2 === 0),
              height,
            )
            expect(position.left).toBeGreaterThanOrEqual(12)
            expect(position.right).toBeLessThanOrEqual(width - 12)
            expect(position.top).toBeGreaterThanOrEqual(11.9)
            expect(position.bottom).toBeLessThanOrEqual(height - 11.9)
            const hasRoom = top >= 364 || height - top - tall >= 364
            if (hasRoom) expect(overlap(position, selection)).toBe(false)
          }
        }
      }
    }
  }
})

test("a phone, and a window at 400%, have a bottom sheet", () => {
  const selection = box(10, 100, 200, 120)
  const sheetPosition = (width: number, height: number, full = height) =>
    panelPosition(selection, { width, height, full }, false)
  expect(sheetPosition(390, 800)).toEqual({ bottom: 0, "--max": 480 })
  expect(sheetPosition(320, 256)).toEqual({ bottom: 0, "--max": 240 })
  expect(sheetPosition(1280, 400)).toEqual({ bottom: 0, "--max": 320 })
  expect(sheetPosition(390, 450, 800)).toEqual({ bottom: 350, "--max": 320 })
  expect(sheetPosition(768, 1024)).toHaveProperty("left")
})

test("the button is below the last line, and above the first one at the lower edge", () => {
  const size = { width: 160, height: 46 }
  const last = box(300, 124, 600, 148)
  expect(buttonPosition(100, last, size, DESK, false, 8)).toEqual({ left: 440, top: 156 })
  expect(buttonPosition(100, last, size, DESK, true, 8)).toEqual({ left: 300, top: 156 })
  const low = box(300, 770, 600, 790)
  expect(buttonPosition(770, low, size, DESK, false, 8)).toEqual({ left: 440, top: 716 })
  const edge = box(0, 50, 20, 70)
  expect(buttonPosition(50, edge, size, DESK, false, 8).left).toBe(12)
})
