import { expect, test } from "vitest"
import { NO_FILTER, filterRows, isNoFilter, toggleOutcome } from "../src/data/filter"
import { sampleIndex } from "./sampleIndex"

const index = sampleIndex()
const textOf = (row: number) => index.rows.title[row]!.toLowerCase()
const listed = (part: object) => filterRows(index, { ...NO_FILTER, ...part }, textOf)

test("an empty filter matches all rows", () => {
  expect(listed({})).toEqual([0, 1, 2, 3])
  expect(isNoFilter(NO_FILTER)).toBe(true)
})

test("outcomes add up", () => {
  expect(listed({ outcomes: new Set(["fail", "error"]) })).toEqual([1, 3])
})

test("the first source is chosen by its number, which is nothing but zero", () => {
  expect(listed({ source: 0 })).toEqual([0, 2])
})

test("an assertion lists the tests that have it", () => {
  expect(listed({ assertion: 1 })).toEqual([1, 2])
})

test("tests are filtered by consistency", () => {
  expect(listed({ consistency: "inconsistent" })).toEqual([1])
  expect(listed({ consistency: "consistent" })).toEqual([2])
})

test("all words must be there, in any case and order", () => {
  expect(listed({ query: "HOURS open" })).toEqual([0, 1])
  expect(listed({ query: "hours price" })).toEqual([])
  expect(listed({ query: "  " })).toEqual([0, 1, 2, 3])
})

test("a second press takes an outcome away", () => {
  expect(toggleOutcome(toggleOutcome(NO_FILTER, "fail"), "fail")).toEqual(NO_FILTER)
})
