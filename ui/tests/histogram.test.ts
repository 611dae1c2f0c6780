import { expect, test } from "vitest"
import { histogramBars, countAndMedian, distributions } from "../src/data/histogram"
import { HALF, sampleIndex } from "./sampleIndex"

const index = sampleIndex()

test("a measure with only scores of 0 and 1 gets no chart", () => {
  const [only, ...others] = distributions(index, [0, 1, 2, 3])
  expect(others).toEqual([])
  expect(only).toEqual({
    measure: "similar",
    cutoffs: [HALF],
    points: [
      { value: 0.7, outcome: "pass" },
      { value: 0.2, outcome: "fail" },
    ],
  })
})

test("only the tests that are listed count", () => {
  expect(distributions(index, [0])[0]!.points).toHaveLength(1)
})

test("no score is lost, not even at the ends", () => {
  const points = [0, 0.4999, 0.5, 1].map((value) => ({ value, outcome: "pass" as const }))
  const drawn = histogramBars(points, [0, 1], 2)
  expect(drawn).toEqual([
    { from: 0, to: 0.5, outcome: "pass", count: 2 },
    { from: 0.5, to: 1, outcome: "pass", count: 2 },
  ])
})

test("the median of no scores is zero", () => {
  expect(countAndMedian({ measure: "", cutoffs: [], points: [] })).toEqual({ count: 0, median: 0 })
})
