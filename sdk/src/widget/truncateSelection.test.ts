import { expect, test } from "vitest"
import { quoteOf, truncateSelection } from "./truncateSelection.ts"

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

test("a quote ends with a word, without the comma behind it", () => {
  const text = "The tower was built from 1871 to 1874, of grey granite that came by barge from the mainland."
  expect(quoteOf(text)).toBe(
    "The tower was built from 1871 to 1874, of grey granite that came by barge from…",
  )
  expect(quoteOf(text.slice(0, 80))).toBe(text.slice(0, 80))
  expect(quoteOf(`${"x".repeat(76)} yz, more`)).toBe(`${"x".repeat(76)} yz…`)
  expect(quoteOf(`${"word ".repeat(15)}1234, and more`)).toBe(`${"word ".repeat(15)}1234…`)
})

test("text without spaces is split between characters", () => {
  expect(quoteOf("灯台は花崗岩で建てられた。".repeat(10))).toHaveLength(81)
  expect(quoteOf(`${"x".repeat(79)}😀y`)).toBe(`${"x".repeat(79)}…`)
})
