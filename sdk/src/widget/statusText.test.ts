import { expect, test } from "vitest"
import { prepareAnswers } from "../answers/index.ts"
import type { SectionMatch } from "../answers/relatedSections.ts"
import { ENGLISH } from "../answers/strings.ts"
import type { AnswerReply } from "../api/shapes.ts"
import type { DialogState, Related } from "./state.ts"
import { failureText, statusText } from "./statusText.ts"

const range = document.createRange()
const topic = {
  passage: { text: "It opens.", range, page: { text: "", segments: [] }, begin: 0 },
  sentText: "It opens.",
  suggestions: [],
}
const said = (dialog: DialogState) => statusText(dialog, ENGLISH, prepareAnswers(ENGLISH))

function answered(reply: Partial<AnswerReply>, related: Related = "off"): DialogState {
  return { name: "answered", topic, question: "?", reply: reply as AnswerReply, related }
}

test("nothing is announced before a question", () => {
  expect(said({ name: "idle" })).toBe("")
  expect(said({ name: "ready", topic })).toBe("")
})

test("arriving text changes no announcement", () => {
  const asking = { name: "asking", topic, question: "?" } as const
  expect(said({ ...asking, text: "" })).toBe(said({ ...asking, text: "It opens" }))
})

test("the answer is announced, and that it was ended early", () => {
  expect(said(answered({ in_selected_text: true, answer: "It opens." }))).toBe(
    "From the selection: It opens.",
  )
  expect(said(answered({ in_selected_text: true, answer: "It opens.", decision: "cut" }))).toContain(
    ENGLISH.cut,
  )
})

test("without an answer, nothing is announced until related sections are known", () => {
  const none = { in_selected_text: false, answer: "Not there.", missing: ["ticket", "price"] }
  expect(said(answered(none, "looking"))).toBe(ENGLISH.looking)
  expect(said(answered(none, [{} as SectionMatch, {} as SectionMatch]))).toBe(
    "Not there. The selection does not mention: ticket, price Elsewhere on this page: 2",
  )
  expect(said(answered(none, []))).toContain(ENGLISH.relatedNone)
  expect(said(answered(none, "failed"))).toContain(ENGLISH.relatedFailed)
  expect(said(answered({ ...none, missing: [] }))).toBe("Not there.")
})

test("an error states how long to wait if that is known, even if it is 0", () => {
  expect(failureText({ kind: "limited", retryAfter: 11.2 }, ENGLISH)).toMatch(
    /questions\. Try again in 12 s\.$/,
  )
  expect(failureText({ kind: "busy", retryAfter: 0 }, ENGLISH)).toContain("in 0 s")
  expect(failureText({ kind: "busy", retryAfter: undefined }, ENGLISH)).toBe(ENGLISH["error-busy"])
})
