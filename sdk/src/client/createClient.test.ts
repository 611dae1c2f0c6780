// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest"
import { problem, replyWith, type ScriptedServer, startServer } from "../../tests/scriptedServer.ts"
import { type Client, createClient } from "./createClient.ts"
import { SensecheckError } from "./errors.ts"

const ASKED = { question: "When does it close?", passage: "It closes at 17:30." }
let server: ScriptedServer

async function serving(...script: Parameters<typeof startServer>): Promise<ScriptedServer> {
  server = await startServer(...script)
  return server
}

afterEach(() => server?.close())

describe("ask", () => {
  it("sends the question and gives the reply", async () => {
    const { url, seen } = await serving((response) => response.end(JSON.stringify(replyWith("At 17:30."))))
    const client = createClient({ endpoint: url, key: "pk_abc" })
    const reply = await client.ask({ ...ASKED, sessionId: "reader-1", store: false })
    expect(reply.answer).toBe("At 17:30.")
    expect(seen[0]?.path).toBe("/v1/answers")
    expect(seen[0]?.body).toEqual({ ...ASKED, session_id: "reader-1", store: false, offsets: "utf16" })
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer pk_abc",
      "content-type": "application/json",
    })
    expect(seen[0]?.headers).not.toHaveProperty("cookie")
    expect(seen[0]?.headers).not.toHaveProperty("referer")
  })

  it.each([
    [429, "rate-limited", "limited"],
    [503, "overloaded", "busy"],
    [403, "not-allowed", "refused"],
    [413, "too-large", "too-large"],
    [500, "internal-error", "broken"],
  ])("tells %d %s as %s, once", async (status, name, kind) => {
    const { url, seen } = await serving((response) => problem(response, status, name, { "Retry-After": "7" }))
    const error = await createClient({ endpoint: url })
      .ask(ASKED)
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(SensecheckError)
    expect(error).toMatchObject({ kind, status, problem: name, retryAfter: 7 })
    expect(String(error)).not.toMatch(/[<>]/)
    expect(seen).toHaveLength(1)
  })

  it.each<[string, string]>([
    ["no JSON", "<html>"],
    ["null", "null"],
    ["a list", "[]"],
    ["no answer", JSON.stringify({ ...replyWith("a"), answer: 7 })],
    ["a claim that is none", JSON.stringify({ ...replyWith("a"), claims: [null] })],
    ["a place that is none", JSON.stringify({ ...replyWith("a"), injections: [{ text: "a", start: "0" }] })],
    [
      "evidence without a place",
      JSON.stringify({ ...replyWith("a"), claims: [{ text: "a", start: 0, end: 1, evidence: [{}] }] }),
    ],
  ])("takes %s for broken", async (_, body) => {
    const { url } = await serving((response) => response.end(body))
    await expect(createClient({ endpoint: url }).ask(ASKED)).rejects.toMatchObject({ kind: "broken" })
  })

  it("takes no answer beyond 8,000 characters, counted as people do", async () => {
    const answers = ["😀".repeat(8_000), "😀".repeat(8_001)]
    const { url } = await serving((response, _, nth) =>
      response.end(JSON.stringify(replyWith(answers[nth] ?? ""))),
    )
    const client = createClient({ endpoint: url })
    expect((await client.ask(ASKED)).answer).toBe(answers[0])
    await expect(client.ask(ASKED)).rejects.toMatchObject({ kind: "too-large" })
  })

  it("stops reading a reply without end", async () => {
    const { url, seen } = await serving((response) => {
      const more = () => response.write("x".repeat(65_536), (failed) => failed ?? more())
      more()
    })
    await expect(createClient({ endpoint: url }).ask(ASKED)).rejects.toMatchObject({ kind: "too-large" })
    await seen[0]?.closed
  })

  it("reads a status whose body says nothing, or never ends", async () => {
    const { url } = await serving((response, _, nth) => {
      response.writeHead(503, { "Retry-After": "2" })
      if (nth === 0) response.end("<html>busy</html>")
      else response.write("{")
    })
    const client = createClient({ endpoint: url, idleTimeout: 50 })
    const wanted = { kind: "busy", retryAfter: 2, problem: undefined }
    await expect(client.ask(ASKED)).rejects.toMatchObject(wanted)
    await expect(client.ask(ASKED)).rejects.toMatchObject(wanted)
  })

  it("is offline where nobody listens", async () => {
    const { url, close } = await serving((response) => response.end())
    await close()
    await expect(createClient({ endpoint: url }).ask(ASKED)).rejects.toMatchObject({ kind: "offline" })
  })

  it("follows no redirect", async () => {
    const { url, seen } = await serving((response) => response.writeHead(307, { Location: "/v1/else" }).end())
    await expect(createClient({ endpoint: url }).ask(ASKED)).rejects.toMatchObject({ kind: "offline" })
    expect(seen.map(({ path }) => path)).toEqual(["/v1/answers"])
  })

  it("waits for the first byte no longer than it was told", async () => {
    const { url, seen } = await serving(() => undefined)
    const client = createClient({ endpoint: url, timeout: 50 })
    await expect(client.ask(ASKED)).rejects.toMatchObject({ kind: "timeout" })
    await seen[0]?.closed
  })

  it.each<[string, number, (client: Client) => Promise<unknown>]>([
    ["a reply in one piece", 35_000, (client) => client.ask(ASKED)],
    ["a stream", 15_000, (client) => client.stream(ASKED).next()],
  ])("waits for %s as long as its service may need", async (_, patient, call) => {
    const { url, seen } = await serving(() => undefined)
    const real = setTimeout
    const waits: unknown[] = []
    vi.stubGlobal("setTimeout", (...given: Parameters<typeof setTimeout>) => {
      waits.push(given[1])
      return real(given[0], 50, ...given.slice(2))
    })
    try {
      await expect(call(createClient({ endpoint: url }))).rejects.toMatchObject({ kind: "timeout" })
    } finally {
      vi.unstubAllGlobals()
    }
    expect(waits).toContain(patient)
    await seen[0]?.closed
  })

  it("ends in the same turn when it is stopped, and lets go of the connection", async () => {
    const stopping = new AbortController()
    const { url, seen } = await serving(() => stopping.abort())
    let error: unknown
    const asked = createClient({ endpoint: url })
      .ask(ASKED, { signal: stopping.signal })
      .catch((caught: unknown) => {
        error = caught
      })
    await new Promise<void>((resolve) =>
      stopping.signal.addEventListener("abort", () => setImmediate(resolve)),
    )
    expect(error).toMatchObject({ kind: "aborted" })
    await asked
    await seen[0]?.closed
  })

  it("sends nothing when it was stopped before", async () => {
    const { url, seen } = await serving((response) => response.end("{}"))
    const asked = createClient({ endpoint: url }).ask(ASKED, { signal: AbortSignal.abort() })
    await expect(asked).rejects.toMatchObject({ kind: "aborted" })
    expect(seen).toHaveLength(0)
  })
})

describe("related", () => {
  it("sends id and text of each section alone", async () => {
    const found = [{ id: "s1", start: 0, end: 4, text: "Open" }]
    const { url, seen } = await serving((response) => response.end(JSON.stringify({ sections: found })))
    const sections = [{ id: "s1", text: "Open at ten.", title: "Hours" }]
    expect(await createClient({ endpoint: url }).related("When?", sections)).toEqual(found)
    expect(seen[0]?.path).toBe("/v1/related")
    expect(seen[0]?.body).toEqual({
      question: "When?",
      sections: [{ id: "s1", text: "Open at ten." }],
      offsets: "utf16",
    })
  })

  it.each(['{"sections":{}}', '{"sections":[{"id":"s1"}]}', "[]"])("takes %s for broken", async (body) => {
    const { url } = await serving((response) => response.end(body))
    await expect(createClient({ endpoint: url }).related("When?", [])).rejects.toMatchObject({
      kind: "broken",
    })
  })
})

describe("feedback", () => {
  it("is sent to its message", async () => {
    const { url, seen } = await serving((response) => response.writeHead(204).end())
    await createClient({ endpoint: url }).feedback("0199-af", "down")
    expect(seen[0]?.path).toBe("/v1/messages/0199-af/feedback")
    expect(seen[0]?.body).toEqual({ thumb: "down" })
  })

  it.each(["", "..", "../a?b", "//away.invalid", "\ud83d"])("with the id %j is sent nowhere", async (id) => {
    const { url, seen } = await serving((response) => response.writeHead(204).end())
    const sent = createClient({ endpoint: url }).feedback(id, "down")
    await expect(sent).rejects.toMatchObject({ kind: "broken" })
    expect(seen).toEqual([])
  })
})

it("refuses secret keys and endpoints that are none when it is made", () => {
  expect(() => createClient({ endpoint: "", key: "sk_abc" })).toThrow(SensecheckError)
  expect(() => createClient({ endpoint: "ftp://example.com" })).toThrow(TypeError)
})
