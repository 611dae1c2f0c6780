import { expect, test } from "vitest"
import { fromHash, toHash } from "../src/data/viewState"
import { NO_FILTER } from "../src/data/filter"
import { sampleIndex } from "./sampleIndex"

const index = sampleIndex()

test("the state survives the address", () => {
  const state = {
    filter: {
      ...NO_FILTER,
      outcomes: new Set(["fail" as const]),
      source: 1,
      assertion: 1,
      consistency: "inconsistent" as const,
      query: "a & b #1",
    },
    open: 1,
    view: "grid" as const,
    order: "file" as const,
  }
  expect(fromHash(index, `#${toHash(index, state)}`)).toEqual(state)
})

test("nothing chosen leaves the address empty", () => {
  expect(toHash(index, { filter: NO_FILTER, open: null, view: "overview", order: "worst" })).toBe("")
})

test("what this run does not know is left out", () => {
  const state = fromHash(index, "#outcome=fail,nonsense&source=other&test=99&view=none&repeats=x&order=best")
  expect(state).toEqual({
    filter: { ...NO_FILTER, outcomes: new Set(["fail"]) },
    open: null,
    view: "overview",
    order: "worst",
  })
})
