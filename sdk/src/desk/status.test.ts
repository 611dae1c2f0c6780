import { expect, test } from "vitest"
import type { AnswerReply } from "../api/shapes.ts"
import type { Place } from "./elsewhere.ts"
import type { Related, Talk } from "./state.ts"
import { announced, failureText } from "./status.ts"
import { ENGLISH } from "./strings.ts"

const range = document.createRange()
const topic = { passage: { text: "It opens.", range, rangeOf: () => null }, read: "It opens." }
const said = (talk: Talk) => announced(talk, ENGLISH)

function answered(reply: Partial<AnswerReply>, related: Related = "off"): Talk {
  return { name: "answered", topic, question: "?", reply: reply as AnswerReply, related }
}

test("nothing is said before a question", () => {
  expect(said({ name: "idle" })).toBe("")
  expect(said({ name: "ready", topic })).toBe("")
})

test("text that comes does not change what is said", () => {
  const asking = { name: "asking", topic, question: "?" } as const
  expect(said({ ...asking, text: "" })).toBe(said({ ...asking, text: "It opens" }))
})

test("the answer is said, and that it was cut", () => {
  expect(said(answered({ in_selected_text: true, answer: "It opens." }))).toBe(
    "From the selection: It opens.",
  )
  expect(said(answered({ in_selected_text: true, answer: "It opens.", decision: "cut" }))).toContain(
    ENGLISH.cut,
  )
})

test("without an answer, nothing new is said until other sections are known", () => {
  const none = { in_selected_text: false, answer: "Not there.", missing: ["ticket", "price"] }
  expect(said(answered(none, "looking"))).toBe(ENGLISH.looking)
  expect(said(answered(none, [{} as Place, {} as Place]))).toBe(
    "Not there. The selection does not mention: ticket, price Elsewhere on this page: 2",
  )
  expect(said(answered(none, []))).toContain(ENGLISH.relatedNone)
  expect(said(answered(none, "failed"))).toContain(ENGLISH.relatedFailed)
  expect(said(answered({ ...none, missing: [] }))).toBe("Not there.")
})

test("an error tells how long to wait where that is known, even if it is no time", () => {
  expect(failureText({ kind: "limited", retryAfter: 11.2 }, ENGLISH)).toMatch(
    /just now\. Try again in 12 s\.$/,
  )
  expect(failureText({ kind: "busy", retryAfter: 0 }, ENGLISH)).toContain("in 0 s")
  expect(failureText({ kind: "busy", retryAfter: undefined }, ENGLISH)).toBe(ENGLISH["error-busy"])
})
