import { expect, test } from "vitest"
import type { AnswerReply } from "../api/shapes.ts"
import { type Happening, IDLE, next, type State } from "./state.ts"

const range = document.createRange()
const topic = { passage: { text: "It opens at 10.", range, rangeOf: () => range }, read: "It opens at 10." }
const reply = { id: "m1", answer: "It opens at 10.", in_selected_text: true } as AnswerReply
const OPENED: Happening = { kind: "opened", topic }
const ASKED: Happening = { kind: "asked", question: "When?" }
const ENDED: Happening = { kind: "ended", reply, related: "off" }
const FAILED: Happening = { kind: "failed", error: { kind: "offline", retryAfter: undefined } }

const after = (...happenings: Happening[]): State => happenings.reduce(next, IDLE)

test("a selection is offered, and taken back when it goes", () => {
  expect(after({ kind: "selected", range })).toEqual({ talk: { name: "idle" }, offer: range })
  expect(after({ kind: "selected", range }, { kind: "selected", range: null })).toEqual(IDLE)
})

test("opening takes the offer", () => {
  expect(after({ kind: "selected", range }, OPENED)).toEqual({ talk: { name: "ready", topic }, offer: null })
})

test("text adds up while a question is under way", () => {
  const { talk } = after(OPENED, ASKED, { kind: "told", text: "It opens " }, { kind: "told", text: "at 10." })
  expect(talk).toMatchObject({ name: "asking", question: "When?", text: "It opens at 10." })
})

test("an answer ends the question, and other sections come after it", () => {
  expect(after(OPENED, ASKED, ENDED).talk).toMatchObject({ name: "answered", reply, related: "off" })
  const looking = after(OPENED, ASKED, { kind: "ended", reply, related: "looking" })
  expect(looking.talk).toMatchObject({ related: "looking" })
  expect(next(looking, { kind: "searched", related: [] }).talk).toMatchObject({
    name: "answered",
    related: [],
  })
})

test("a failure keeps the text that was checked", () => {
  const { talk } = after(OPENED, ASKED, { kind: "told", text: "It opens" }, FAILED)
  expect(talk).toMatchObject({ name: "failed", question: "When?", text: "It opens" })
})

test("a second question begins anew with the same selection", () => {
  for (const end of [ENDED, FAILED]) {
    const { talk } = after(OPENED, ASKED, { kind: "told", text: "x" }, end, {
      kind: "asked",
      question: "Where?",
    })
    expect(talk).toEqual({ name: "asking", topic, question: "Where?", text: "" })
  }
})

test("another selection is offered beside a dialog that is open, and leaves the talk alone", () => {
  const { talk, offer } = after(OPENED, ASKED, ENDED, { kind: "selected", range })
  expect([talk.name, offer]).toEqual(["answered", range])
})

test("closing ends the talk and keeps what is offered", () => {
  expect(after(OPENED, ASKED, { kind: "selected", range }, { kind: "closed" })).toEqual({
    talk: { name: "idle" },
    offer: range,
  })
})

test.each<[string, Happening[], Happening]>([
  ["asked without a dialog", [], ASKED],
  ["told without a dialog", [], { kind: "told", text: "x" }],
  ["told before a question", [OPENED], { kind: "told", text: "x" }],
  ["told after the end", [OPENED, ASKED, ENDED], { kind: "told", text: "x" }],
  ["failed after the end", [OPENED, ASKED, ENDED], FAILED],
  ["ended without a question", [OPENED], ENDED],
  ["searched while asking", [OPENED, ASKED], { kind: "searched", related: [] }],
])("%s changes nothing", (_, before, late) => {
  const state = after(...before)
  expect(next(state, late).talk).toBe(state.talk)
})
