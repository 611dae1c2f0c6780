import { expect, test } from "vitest"
import { fromHash, toHash } from "../src/data/address"
import { EVERYTHING } from "../src/data/filter"
import { madeIndex } from "./made"

const index = madeIndex()

test("what is looked at survives the address", () => {
  const looked = {
    filter: {
      ...EVERYTHING,
      outcomes: new Set(["fail" as const]),
      source: 1,
      assertion: 1,
      steadiness: "unsteady" as const,
      words: "a & b #1",
    },
    open: 1,
    view: "grid" as const,
    order: "file" as const,
  }
  expect(fromHash(index, `#${toHash(index, looked)}`)).toEqual(looked)
})

test("nothing chosen leaves the address empty", () => {
  expect(toHash(index, { filter: EVERYTHING, open: null, view: "overview", order: "worst" })).toBe("")
})

test("what this run does not know is left out", () => {
  const looked = fromHash(index, "#outcome=fail,nonsense&source=other&test=99&view=none&repeats=x&order=best")
  expect(looked).toEqual({
    filter: { ...EVERYTHING, outcomes: new Set(["fail"]) },
    open: null,
    view: "overview",
    order: "worst",
  })
})
