import { expect, test } from "vitest"
import { sortRows } from "../src/data/order"
import { otherResults } from "../src/data/otherResults"
import { sampleIndex } from "./sampleIndex"

const index = sampleIndex()

test("the worst outcomes come first, or the order is that of the battery", () => {
  expect(sortRows(index, [0, 1, 2, 3], "worst")).toEqual([3, 1, 0, 2])
  expect(sortRows(index, [0, 1, 2, 3], "file")).toEqual([0, 1, 2, 3])
})

test("the results of other sources are found", () => {
  expect(otherResults(index, 0)).toEqual([1])
  expect(otherResults(index, 3)).toEqual([2])
})

test("results for the same prompt come first", () => {
  const rows = { ...index.rows, test: [1, 1, 1, 1], wording: [0, 1, 1, 0] }
  expect(otherResults(sampleIndex({ rows }), 1)).toEqual([2, 0, 3])
})
