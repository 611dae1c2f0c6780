import { expect, test } from "vitest"
import type { AnswerReply } from "../api/shapes.ts"
import { IDLE, next, type State, type WidgetEvent } from "./state.ts"

const range = document.createRange()
const topic = {
  passage: { text: "It opens at 10.", range, page: { text: "", segments: [] }, begin: 0 },
  sentText: "It opens at 10.",
  suggestions: [],
}
const reply = { id: "m1", answer: "It opens at 10.", in_selected_text: true } as AnswerReply
const OPENED: WidgetEvent = { kind: "opened", topic }
const ASKED: WidgetEvent = { kind: "asked", question: "When?" }
const ENDED: WidgetEvent = { kind: "ended", reply, related: "off" }
const FAILED: WidgetEvent = { kind: "failed", error: { kind: "offline", retryAfter: undefined } }

const after = (...happenings: WidgetEvent[]): State => happenings.reduce(next, IDLE)

test("the button follows the selection", () => {
  expect(after({ kind: "selected", range })).toEqual({ dialog: { name: "idle" }, selection: range })
  expect(after({ kind: "selected", range }, { kind: "selected", range: null })).toEqual(IDLE)
})

test("opening hides the button", () => {
  expect(after({ kind: "selected", range }, OPENED)).toEqual({
    dialog: { name: "ready", topic },
    selection: null,
  })
})

test("text accumulates while a question is running", () => {
  const { dialog } = after(
    OPENED,
    ASKED,
    { kind: "text", text: "It opens " },
    { kind: "text", text: "at 10." },
  )
  expect(dialog).toMatchObject({ name: "asking", question: "When?", text: "It opens at 10." })
})

test("an answer ends the question, and other sections come after it", () => {
  expect(after(OPENED, ASKED, ENDED).dialog).toMatchObject({ name: "answered", reply, related: "off" })
  const looking = after(OPENED, ASKED, { kind: "ended", reply, related: "looking" })
  expect(looking.dialog).toMatchObject({ related: "looking" })
  expect(next(looking, { kind: "searched", related: [] }).dialog).toMatchObject({
    name: "answered",
    related: [],
  })
})

test("a failure keeps the text that was checked", () => {
  const { dialog } = after(OPENED, ASKED, { kind: "text", text: "It opens" }, FAILED)
  expect(dialog).toMatchObject({ name: "failed", question: "When?", text: "It opens" })
})

test("a second question starts over with the same selection", () => {
  for (const end of [ENDED, FAILED]) {
    const { dialog } = after(OPENED, ASKED, { kind: "text", text: "x" }, end, {
      kind: "asked",
      question: "Where?",
    })
    expect(dialog).toEqual({ name: "asking", topic, question: "Where?", text: "" })
  }
})

test("another selection gets a button next to an open dialog, which does not change", () => {
  const { dialog, selection } = after(OPENED, ASKED, ENDED, { kind: "selected", range })
  expect([dialog.name, selection]).toEqual(["answered", range])
})

test("closing ends the conversation and keeps the button", () => {
  expect(after(OPENED, ASKED, { kind: "selected", range }, { kind: "closed" })).toEqual({
    dialog: { name: "idle" },
    selection: range,
  })
})

test.each<[string, WidgetEvent[], WidgetEvent]>([
  ["asked without a dialog", [], ASKED],
  ["told without a dialog", [], { kind: "text", text: "x" }],
  ["told before a question", [OPENED], { kind: "text", text: "x" }],
  ["told after the end", [OPENED, ASKED, ENDED], { kind: "text", text: "x" }],
  ["failed after the end", [OPENED, ASKED, ENDED], FAILED],
  ["ended without a question", [OPENED], ENDED],
  ["searched while asking", [OPENED, ASKED], { kind: "searched", related: [] }],
])("%s changes nothing", (_, before, late) => {
  const state = after(...before)
  expect(next(state, late).dialog).toBe(state.dialog)
})
