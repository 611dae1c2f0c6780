import { expect, test } from "vitest"
import { ordered } from "../src/data/order"
import { siblings } from "../src/data/siblings"
import { madeIndex } from "./made"

const index = madeIndex()

test("what wants looking at comes first, and else the battery decides", () => {
  expect(ordered(index, [0, 1, 2, 3], "worst")).toEqual([3, 1, 0, 2])
  expect(ordered(index, [0, 1, 2, 3], "file")).toEqual([0, 1, 2, 3])
})

test("a test is found from all its sources", () => {
  expect(siblings(index, 0)).toEqual([1])
  expect(siblings(index, 3)).toEqual([2])
})

test("the same wording stands nearest", () => {
  const rows = { ...index.rows, test: [1, 1, 1, 1], wording: [0, 1, 1, 0] }
  expect(siblings(madeIndex({ rows }), 1)).toEqual([2, 0, 3])
})
