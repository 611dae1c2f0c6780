import { expect, test } from "vitest"
import { type Box, buttonSpot, panelSpot, type Spot } from "./placing.ts"

const DESK = { width: 1280, height: 800, whole: 800 }
const WIDTH = 384

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom })

/** The tallest that the dialog gets there. */
function filled(spot: Spot, height: number): Box {
  const { left = 0, top, bottom = 0, "--room": room = 0 } = spot
  const tall = Math.min(room, 600)
  const upper = top ?? height - bottom - tall
  return box(left, upper, left + WIDTH, upper + tall)
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

test("below a selection at the top, above one at the bottom", () => {
  expect(panelSpot(box(300, 100, 700, 140), DESK, false)).toMatchObject({ left: 300, top: 152 })
  expect(panelSpot(box(300, 700, 700, 740), DESK, false)).toMatchObject({ left: 300, bottom: 112 })
})

test("at the other end in a page from right to left", () => {
  expect(panelSpot(box(300, 100, 900, 140), DESK, true).left).toBe(900 - WIDTH)
})

test("beside a selection that leaves no room above and below", () => {
  expect(panelSpot(box(100, 10, 600, 790), DESK, false).left).toBe(612)
  expect(panelSpot(box(700, 10, 1200, 790), DESK, false).left).toBe(700 - 12 - WIDTH)
})

test("at the lower edge over a selection that fills the window", () => {
  expect(panelSpot(box(0, -500, 1280, 2000), DESK, false)).toMatchObject({
    left: 12,
    bottom: 12,
  })
})

test("inside the window always, and over the selection only where nothing else has room", () => {
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
            const spot = filled(panelSpot(selection, { width, height, whole: height }, top % 2 === 0), height)
            expect(spot.left).toBeGreaterThanOrEqual(12)
            expect(spot.right).toBeLessThanOrEqual(width - 12)
            expect(spot.top).toBeGreaterThanOrEqual(11.9)
            expect(spot.bottom).toBeLessThanOrEqual(height - 11.9)
            const hasRoom = top >= 364 || height - top - tall >= 364
            if (hasRoom) expect(overlap(spot, selection)).toBe(false)
          }
        }
      }
    }
  }
})

test("a phone, and a window at 400%, have a sheet", () => {
  const selection = box(10, 100, 200, 120)
  const sheet = (width: number, height: number, whole = height) =>
    panelSpot(selection, { width, height, whole }, false)
  expect(sheet(390, 800)).toEqual({ bottom: 0, "--room": 480 })
  expect(sheet(320, 256)).toEqual({ bottom: 0, "--room": 240 })
  expect(sheet(1280, 400)).toEqual({ bottom: 0, "--room": 320 })
  expect(sheet(390, 450, 800)).toEqual({ bottom: 350, "--room": 320 })
  expect(sheet(768, 1024)).toHaveProperty("left")
})

test("the button stands below the last line, and above the first one at the lower edge", () => {
  const size = { width: 160, height: 46 }
  const last = box(300, 124, 600, 148)
  expect(buttonSpot(100, last, size, DESK, false, 8)).toEqual({ left: 440, top: 156 })
  expect(buttonSpot(100, last, size, DESK, true, 8)).toEqual({ left: 300, top: 156 })
  const low = box(300, 770, 600, 790)
  expect(buttonSpot(770, low, size, DESK, false, 8)).toEqual({ left: 440, top: 716 })
  const edge = box(0, 50, 20, 70)
  expect(buttonSpot(50, edge, size, DESK, false, 8).left).toBe(12)
})
