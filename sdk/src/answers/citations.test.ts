import { expect, test } from "vitest"
import type { AnswerReply, Claim } from "../api/shapes.ts"
import { passageOf } from "../page/passage.ts"
import { citationsOf } from "./citations.ts"

const TEXT = "It opens at 10. It closes at 17:30."

function passage() {
  document.body.innerHTML = `<p>${TEXT}</p>`
  const range = document.createRange()
  range.selectNodeContents(document.body)
  const found = passageOf(range)
  if (!found) throw new Error("the paragraph is readable")
  return found
}

function reply(...claims: [number, number][]): AnswerReply {
  const evidence = ([start, end]: [number, number]) => [
    { where: "passages[0]", start, end, text: TEXT.slice(start, end) },
  ]
  const told = claims.map((place) => ({ start: place[0], end: place[1], evidence: evidence(place) }))
  return { answer: TEXT, claims: told as unknown as Claim[] } as AnswerReply
}

test("each claim leads to its evidence in the page", () => {
  const citations = citationsOf(reply([0, 15], [16, 35]), passage())
  expect(citations.map((citation) => citation.find().map(String))).toEqual([
    ["It opens at 10."],
    ["It closes at 17:30."],
  ])
})

test("claims are in the order of the answer, whatever order they came in", () => {
  expect(citationsOf(reply([16, 35], [0, 15]), passage()).map(({ end }) => end)).toEqual([15, 35])
})

test("evidence that is gone is not found", () => {
  const [citation] = citationsOf(reply([0, 15]), passage())
  document.body.textContent = "Something else stands here now."
  expect(citation?.find()).toEqual([])
})

test("an answer without claims has no citations", () => {
  expect(citationsOf({ ...reply(), claims: null }, passage())).toEqual([])
})
