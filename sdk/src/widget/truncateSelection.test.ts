import { expect, test } from "vitest"
import { truncateSelection } from "./truncateSelection.ts"

test("a text of ordinary length is complete", () => {
  const text = "  one\n\ttwo  ".repeat(300)
  expect(truncateSelection(text)).toBe(text)
})

test("no more than 2,000 tokens, as the words are counted", () => {
  expect(truncateSelection("a ".repeat(3000)).split(" ")).toHaveLength(1538)
})

test("no more than 10,000 characters, and no half of one", () => {
  expect(truncateSelection("x".repeat(10_001))).toHaveLength(10_000)
  expect(truncateSelection(`x${"😀".repeat(6000)}`)).toBe(`x${"😀".repeat(4999)}`)
  expect(truncateSelection("😀".repeat(5000))).toHaveLength(10_000)
})
