import { expect, test } from "vitest"
import { bars, middleOf, spreads } from "../src/data/histogram"
import { HALF, madeIndex } from "./made"

const index = madeIndex()

test("what only ever reads 0 or 1 gets no picture", () => {
  const [only, ...others] = spreads(index, [0, 1, 2, 3])
  expect(others).toEqual([])
  expect(only).toEqual({
    measure: "similar",
    lines: [HALF],
    points: [
      { value: 0.7, outcome: "pass" },
      { value: 0.2, outcome: "fail" },
    ],
  })
})

test("only the tests that are listed count", () => {
  expect(spreads(index, [0])[0]!.points).toHaveLength(1)
})

test("no reading is lost, not even at the ends", () => {
  const points = [0, 0.4999, 0.5, 1].map((value) => ({ value, outcome: "pass" as const }))
  const drawn = bars(points, [0, 1], 2)
  expect(drawn).toEqual([
    { from: 0, to: 0.5, outcome: "pass", count: 2 },
    { from: 0.5, to: 1, outcome: "pass", count: 2 },
  ])
})

test("the middle of no readings is told as zero", () => {
  expect(middleOf({ measure: "", lines: [], points: [] })).toEqual({ count: 0, median: 0 })
})
