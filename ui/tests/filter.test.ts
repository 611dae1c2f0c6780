import { expect, test } from "vitest"
import { EVERYTHING, fitting, isEverything, toggled } from "../src/data/filter"
import { madeIndex } from "./made"

const index = madeIndex()
const said = (row: number) => index.rows.title[row]!.toLowerCase()
const listed = (part: object) => fitting(index, { ...EVERYTHING, ...part }, said)

test("no filter lets everything through", () => {
  expect(listed({})).toEqual([0, 1, 2, 3])
  expect(isEverything(EVERYTHING)).toBe(true)
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

test("repeats that came out differently are found", () => {
  expect(listed({ steadiness: "unsteady" })).toEqual([1])
  expect(listed({ steadiness: "steady" })).toEqual([2])
})

test("all words must be there, in any case and order", () => {
  expect(listed({ words: "HOURS open" })).toEqual([0, 1])
  expect(listed({ words: "hours price" })).toEqual([])
  expect(listed({ words: "  " })).toEqual([0, 1, 2, 3])
})

test("a second press takes an outcome away", () => {
  expect(toggled(toggled(EVERYTHING, "fail"), "fail")).toEqual(EVERYTHING)
})
