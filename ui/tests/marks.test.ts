import { expect, test } from "vitest"
import { splitByMarks } from "../src/data/marks"

const joined = (parts: { text: string }[]) => parts.map(({ text }) => text).join("")

test("the segments of a text are the text, to the character", () => {
  const text = "Sure 😀! The fee is 30 euros."
  const segments = splitByMarks(text, [
    { start: 20, end: 28, as: "a" },
    { start: 9, end: 29, as: "b" },
  ])
  expect(joined(segments)).toBe(text)
  expect(segments.find((segment) => segment.marks.includes("a"))!.text).toBe("30 euros")
})

test("overlapping marks share a segment", () => {
  const segments = splitByMarks("abcdef", [
    { start: 0, end: 4, as: 1 },
    { start: 2, end: 6, as: 2 },
  ])
  expect(segments).toEqual([
    { text: "ab", marks: [1] },
    { text: "cd", marks: [1, 2] },
    { text: "ef", marks: [2] },
  ])
})

test("a mark outside of the text marks nothing", () => {
  expect(
    splitByMarks("abc", [
      { start: 2, end: 9, as: 1 },
      { start: 1, end: 1, as: 2 },
    ]),
  ).toEqual([{ text: "abc", marks: [] }])
})

test("an empty text has no segments", () => {
  expect(splitByMarks("", [])).toEqual([])
})
