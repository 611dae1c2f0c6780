import { expect, test } from "vitest"
import { pieces } from "../src/data/marks"

const joined = (parts: { text: string }[]) => parts.map(({ text }) => text).join("")

test("the pieces of a text are the text, to the character", () => {
  const text = "Sure 😀! The fee is 30 euros."
  const cut = pieces(text, [
    { start: 20, end: 28, as: "a" },
    { start: 9, end: 29, as: "b" },
  ])
  expect(joined(cut)).toBe(text)
  expect(cut.find((piece) => piece.marks.includes("a"))!.text).toBe("30 euros")
})

test("marks that overlap lie on the same piece", () => {
  const cut = pieces("abcdef", [
    { start: 0, end: 4, as: 1 },
    { start: 2, end: 6, as: 2 },
  ])
  expect(cut).toEqual([
    { text: "ab", marks: [1] },
    { text: "cd", marks: [1, 2] },
    { text: "ef", marks: [2] },
  ])
})

test("a mark outside of the text marks nothing", () => {
  expect(
    pieces("abc", [
      { start: 2, end: 9, as: 1 },
      { start: 1, end: 1, as: 2 },
    ]),
  ).toEqual([{ text: "abc", marks: [] }])
})

test("an empty text has no pieces", () => {
  expect(pieces("", [])).toEqual([])
})
