// @vitest-environment node
import { afterEach, beforeEach, expect, it } from "vitest"
import { problem, type ScriptedServer, startServer } from "../../tests/scriptedServer.ts"
import { SensecheckError } from "../client/errors.ts"
import { type MessageFlags, RagChatbot } from "./RagChatbot.ts"

const NOTICE = "⚠️ Selected text is long; truncated to 2000 tokens."
const HELD = { response: "At 17:30.", in_selected_text: true, sources: [], truncation_warning: null }
const FALLBACK = {
  ...HELD,
  response: "The selected text does not contain the answer.",
  in_selected_text: false,
}

let server: ScriptedServer
let reply: unknown
let shown: unknown[][]

beforeEach(async () => {
  shown = []
  reply = HELD
  server = await startServer((response) => response.end(JSON.stringify(reply)))
})
afterEach(() => server.close())

function chatbot(more = {}): RagChatbot {
  return new RagChatbot({
    apiUrl: server.url,
    sessionId: "reader-1",
    showMessage: (...given) => shown.push(["message", ...given]),
    showNotification: (...given) => shown.push(["notice", ...given]),
    ...more,
  })
}

it("posts the three fields and shows what comes back", async () => {
  expect(await chatbot({ key: "pk_abc" }).querySelectedText("When?", "It closes\n  at 17:30.")).toEqual(HELD)
  expect(server.seen[0]?.path).toBe("/query-selected-text")
  expect(server.seen[0]?.body).toEqual({
    query: "When?",
    selected_text: "It closes\n  at 17:30.",
    session_id: "reader-1",
  })
  expect(server.seen[0]?.headers["authorization"]).toBe("Bearer pk_abc")
  expect(shown).toEqual([["message", "At 17:30.", "assistant"]])
})

it("marks what is out of scope", async () => {
  reply = FALLBACK
  await chatbot().querySelectedText("How much?", "It closes at 17:30.")
  expect(shown).toEqual([["message", FALLBACK.response, "assistant", { isOutOfScope: true, confidence: 0 }]])
})

it.each([
  [1_538, 0],
  [1_539, 1],
])("of %d words sends 1,538, with %d notices", async (words, notices) => {
  await chatbot().querySelectedText("When?", Array(words).fill("word").join("\n"))
  expect(server.seen[0]?.body["selected_text"]).toBe(Array(1_538).fill("word").join("\n"))
  expect(shown.filter(([what]) => what === "notice")).toEqual(Array(notices).fill(["notice", NOTICE, "info"]))
})

it("passes on that the service read only a part", async () => {
  reply = { ...HELD, truncation_warning: "Selected text truncated to 10,000 characters." }
  await chatbot().querySelectedText("When?", "x".repeat(10_001))
  expect(shown[0]).toEqual(["notice", "Selected text truncated to 10,000 characters.", "info"])
})

it("can be overridden, method by method", async () => {
  class Loud extends RagChatbot {
    said: unknown[][] = []
    override _showMessage(text: string, role: string, marks?: MessageFlags) {
      this.said.push([text, role, marks])
    }
    override _showNotification(text: string, kind: string) {
      this.said.push([text, kind])
    }
    override _truncateToTokens(text: string, maxTokens: number) {
      return `${text.slice(0, 4)} ${maxTokens}`
    }
  }
  const loud = new Loud({ apiUrl: "http://nowhere.invalid" })
  loud.apiUrl = server.url
  loud.sessionId = "reader-2"
  await loud.querySelectedText("When?", "word ".repeat(2_000))
  expect(server.seen[0]?.body).toMatchObject({ selected_text: "word 2000", session_id: "reader-2" })
  expect(loud.said).toEqual([
    [NOTICE, "info"],
    ["At 17:30.", "assistant", undefined],
  ])
})

it("makes up a session for itself, another each time", () => {
  const one = new RagChatbot({ apiUrl: "" }).sessionId
  expect(one).toMatch(/^\d+-\d+-\d+-\d+$/)
  expect(new RagChatbot({ apiUrl: "" }).sessionId).not.toBe(one)
})

it("shows nothing of a reply that is none, and of a failure", async () => {
  for (const broken of [null, {}, { ...HELD, response: undefined }, { ...HELD, in_selected_text: "yes" }]) {
    reply = broken
    await expect(chatbot().querySelectedText("When?", "x")).rejects.toMatchObject({ kind: "broken" })
  }
  await server.close()
  await expect(chatbot().querySelectedText("When?", "x")).rejects.toMatchObject({ kind: "offline" })
  server = await startServer((response) => problem(response, 429, "rate-limited", { "Retry-After": "9" }))
  await expect(chatbot().querySelectedText("When?", "x")).rejects.toMatchObject({
    kind: "limited",
    retryAfter: 9,
  })
  expect(shown).toEqual([])
})

it("refuses a secret key when it is made", () => {
  expect(() => chatbot({ key: "sk_abc" })).toThrow(SensecheckError)
})
