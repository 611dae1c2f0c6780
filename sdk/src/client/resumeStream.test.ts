// @vitest-environment node
import type { ServerResponse } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import {
  events,
  eventText,
  problem,
  replyWith,
  type ScriptedServer,
  startServer,
} from "../../tests/scriptedServer.ts"
import { type Client, type ClientOptions, createClient } from "./createClient.ts"

const ASKED = { question: "When does it close?", passage: "It closes at 17:30 😀." }
const TEXTS = ["It closes", " at 17:30 😀.", " 美術館"]
const ANSWER = TEXTS.join("")
const NOW = { wait: () => Promise.resolve() }

let server: ScriptedServer

async function asking(
  script: Parameters<typeof startServer>[0],
  options: Partial<ClientOptions> = NOW,
): Promise<Client> {
  server = await startServer(script)
  return createClient({ endpoint: server.url, ...options })
}

afterEach(() => server?.close())

/** What the service sends of an answer from so many code points on. */
function told(texts: string[], from = 0): string {
  const answer = texts.join("")
  const start = eventText(from, "start", { id: "x", hold: "claim" })
  const end = eventText([...answer].length, "end", replyWith(answer))
  let at = 0
  const deltas = texts.map((text) => {
    at += [...text].length
    const fresh = [...text].slice(Math.max(0, [...text].length - (at - from))).join("")
    return at > from ? eventText(at, "delta", { text: fresh, checked: true }) : ""
  })
  return `${start}: still here\n\n${deltas.join("")}${end}`
}

async function heard(client: Client, signal?: AbortSignal) {
  const texts: string[] = []
  for await (const event of client.stream(ASKED, signal ? { signal } : {})) {
    if (event.kind === "end") return { texts, reply: event.reply }
    texts.push(event.text)
  }
  throw new Error("the stream ended without a reply")
}

/** Sends so much, and then the connection is gone. */
function cutAfter(response: ServerResponse, bytes: string | Buffer): void {
  events(response).write(bytes, () => response.destroy())
}

it("gives checked texts as they come, and the reply", async () => {
  const client = await asking((response) => events(response).end(told(TEXTS)))
  const { texts, reply } = await heard(client)
  expect(texts).toEqual(TEXTS)
  expect(reply.answer).toBe(ANSWER)
  expect(server.seen[0]?.headers).toMatchObject({ accept: "text/event-stream" })
  expect(server.seen[0]?.headers).not.toHaveProperty("last-event-id")
  expect(server.seen[0]?.headers["idempotency-key"]).toMatch(/^\d+-\d+-\d+-\d+$/)
})

describe("a stream cut after any byte", () => {
  const whole = Buffer.from(told(TEXTS))
  const lastWanted = whole.length - 1

  it.each([
    ["taken up where it stopped", (last: number) => told(TEXTS, last)],
    ["written anew", () => told(TEXTS)],
    ["taken up in other pieces", (last: number) => told([...ANSWER], last)],
  ])("comes to the same when it is %s", async (_, again) => {
    let cut = 0
    const client = await asking((response, { headers }, nth) => {
      if (nth % 2 === 0) cutAfter(response, whole.subarray(0, cut))
      else events(response).end(again(Number(headers["last-event-id"] ?? 0)))
    })
    for (cut = 1; cut <= lastWanted; cut++) {
      const { texts, reply } = await heard(client)
      expect(texts.join("")).toBe(ANSWER)
      expect(texts).not.toContain("")
      expect(reply.answer).toBe(ANSWER)
      const [first, second, third] = server.seen.splice(0)
      expect(third).toBeUndefined()
      expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
      expect(second?.body).toEqual(first?.body)
    }
  })
})

it("gives no more text when another answer is written anew, and tells it at the end", async () => {
  const other = ["It closes", " late in the evening, and on Fridays later still."]
  const client = await asking((response, _, nth) => {
    if (nth > 0) events(response).end(told(other))
    else cutAfter(response, told(TEXTS).slice(0, told(TEXTS).indexOf("event: end")))
  })
  const { texts, reply } = await heard(client)
  expect(texts).toEqual(TEXTS)
  expect(reply.answer).toBe(other.join(""))
})

it("does not mix two answers, when the one that was written anew is cut and taken up in its turn", async () => {
  const other = ["On weekdays", " the doors are shut", " at half past five."]
  const firstTwo = [...other.slice(0, 2).join("")].length
  const client = await asking((response, { headers }, nth) => {
    if (nth === 0) cutAfter(response, told(TEXTS).slice(0, told(TEXTS).indexOf("event: end")))
    else if (nth === 1)
      cutAfter(response, told(other).slice(0, told(other).lastIndexOf("id: ", told(other).indexOf("half"))))
    else events(response).end(told(other, Number(headers["last-event-id"])))
  })
  const { texts, reply } = await heard(client)
  expect(server.seen.map(({ headers }) => headers["last-event-id"])).toEqual([
    undefined,
    `${[...ANSWER].length}`,
    `${firstTwo}`,
  ])
  expect(texts).toEqual(TEXTS)
  expect(reply.answer).toBe(other.join(""))
})

it("takes a polite end without the last event for a cut", async () => {
  const client = await asking((response, _, nth) => {
    events(response).end(nth === 0 ? eventText(0, "start", {}) : told(TEXTS))
  })
  expect((await heard(client)).texts).toEqual(TEXTS)
})

it("reads characters that come byte by byte", async () => {
  const client = await asking((response) => {
    const bytes = [...Buffer.from(told(TEXTS))].map((byte) => Buffer.of(byte))
    const next = () => {
      const byte = bytes.shift()
      if (byte) response.write(byte, () => setImmediate(next))
      else response.end()
    }
    events(response).socket?.setNoDelay()
    next()
  })
  expect((await heard(client)).texts).toEqual(TEXTS)
})

describe("gives up", () => {
  it.each([0, 2])("after %d tries again", async (retries) => {
    const client = await asking((response) => cutAfter(response, eventText(0, "start", {})), {
      ...NOW,
      retries,
    })
    await expect(heard(client)).rejects.toMatchObject({ kind: "cut" })
    expect(server.seen).toHaveLength(retries + 1)
  })

  it("with `cut` when the service is gone in the middle", async () => {
    const client = await asking((response, _, nth) => {
      if (nth === 0) cutAfter(response, eventText(0, "start", {}))
      else response.destroy()
    })
    await expect(heard(client)).rejects.toMatchObject({ kind: "cut" })
    expect(server.seen).toHaveLength(3)
  })

  it("with `offline`, and at once, when it was never there", async () => {
    const client = await asking((response) => response.destroy())
    await expect(heard(client)).rejects.toMatchObject({ kind: "offline" })
    expect(server.seen).toHaveLength(1)
  })

  it("with `timeout` when the stream falls silent", async () => {
    const client = await asking((response) => events(response).write(eventText(0, "start", {})), {
      ...NOW,
      idleTimeout: 60,
      retries: 1,
    })
    await expect(heard(client)).rejects.toMatchObject({ kind: "timeout" })
    expect(server.seen).toHaveLength(2)
    await Promise.all(server.seen.map(({ closed }) => closed))
  })

  it("with `broken`, and at once, where a page answers", async () => {
    const client = await asking((response) =>
      response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Hello</p>"),
    )
    await expect(heard(client)).rejects.toMatchObject({ kind: "broken", status: 200 })
    expect(server.seen).toHaveLength(1)
  })
})

describe("a service that says no", () => {
  function noting() {
    const waits: number[] = []
    const wait = (milliseconds: number) => {
      waits.push(milliseconds)
      return Promise.resolve()
    }
    return { waits, wait }
  }

  it.each([
    [503, "overloaded"],
    [409, "under-way"],
  ])("is asked again after %d %s, as late as it wants", async (status, name) => {
    const { waits, wait } = noting()
    const client = await asking(
      (response, _, nth) => {
        if (nth === 0) problem(response, status, name, { "Retry-After": "3" })
        else events(response).end(told(TEXTS))
      },
      { wait },
    )
    expect((await heard(client)).texts).toEqual(TEXTS)
    expect(waits).toEqual([3_000])
  })

  it("is asked again after a problem among the events", async () => {
    const { waits, wait } = noting()
    const away = { type: "urn:sensecheck:problem:writer-away", status: 503, retry_after: 5 }
    const client = await asking(
      (response, _, nth) => {
        events(response).end(
          nth === 0 ? eventText(0, "start", {}) + eventText(0, "problem", away) : told(TEXTS),
        )
      },
      { wait },
    )
    expect((await heard(client)).texts).toEqual(TEXTS)
    expect(waits).toEqual([5_000])
  })

  it("waits a little longer each time where nothing is said of it", async () => {
    const { waits, wait } = noting()
    const client = await asking((response) => problem(response, 503, "overloaded"), { wait, retries: 3 })
    await expect(heard(client)).rejects.toMatchObject({ kind: "busy", problem: "overloaded" })
    expect(waits).toHaveLength(3)
    for (const [nth, wanted] of [300, 600, 1200].entries()) {
      expect(waits[nth]).toBeGreaterThanOrEqual(wanted)
      expect(waits[nth]).toBeLessThanOrEqual(2 * wanted)
    }
  })

  it.each([
    [503, "overloaded", "60", "busy"],
    [429, "rate-limited", "1", "limited"],
    [429, "budget-spent", "3600", "limited"],
    [422, "invalid-request", "1", "refused"],
    [409, "not-certifiable", "1", "refused"],
  ])("is left alone after %d %s in %s seconds", async (status, name, after, kind) => {
    const client = await asking((response) => problem(response, status, name, { "Retry-After": after }))
    await expect(heard(client)).rejects.toMatchObject({ kind, status, retryAfter: Number(after) })
    expect(server.seen).toHaveLength(1)
  })
})

describe("what a hostile stream cannot do", () => {
  it.each<[string, string, string]>([
    ["show what was not checked", eventText(3, "delta", { text: "No.", checked: false }), ""],
    ["speak through unknown events", eventText(3, "html", { text: "No.", checked: true }), ""],
  ])("%s", async (_, sent, shown) => {
    const client = await asking((response) =>
      events(response).end(eventText(0, "start", {}) + sent + eventText(0, "end", replyWith("Yes."))),
    )
    const { texts, reply } = await heard(client)
    expect(texts.join("")).toBe(shown)
    expect(reply.answer).toBe("Yes.")
  })

  it.each<[string, string]>([
    ["a delta without text", eventText(0, "delta", { checked: true })],
    ["a delta that is none", eventText(0, "delta", null)],
    ["a delta that is checked in its own words", eventText(3, "delta", { text: "No.", checked: "yes" })],
    ["a problem that is none", eventText(0, "problem", [])],
    ["a delta that is no JSON", "event: delta\ndata: {\n\n"],
    ["an end that is none", eventText(0, "end", { answer: "x" })],
  ])("go on after %s", async (_, sent) => {
    const client = await asking((response) => events(response).write(sent))
    await expect(heard(client)).rejects.toMatchObject({ kind: "broken" })
    await server.seen[0]?.closed
    expect(server.seen).toHaveLength(1)
  })

  it("fill the page with text", async () => {
    const client = await asking((response) => {
      events(response)
      const more = () =>
        response.write(
          eventText(1, "delta", { text: "x".repeat(999), checked: true }),
          (failed) => failed ?? more(),
        )
      more()
    })
    const texts: string[] = []
    const reading = async () => {
      for await (const event of client.stream(ASKED)) if (event.kind === "text") texts.push(event.text)
    }
    await expect(reading()).rejects.toMatchObject({ kind: "too-large" })
    expect(texts.join("").length).toBe(999 * 8)
    await server.seen[0]?.closed
  })

  it("fill the memory with nothing", async () => {
    const client = await asking((response) => {
      events(response)
      const more = () => response.write(`: ${"x".repeat(65_536)}\n`, (failed) => failed ?? more())
      more()
    })
    await expect(heard(client)).rejects.toMatchObject({ kind: "too-large" })
    await server.seen[0]?.closed
    expect(server.seen).toHaveLength(1)
  })

  it("put its own ids into a header", async () => {
    const client = await asking((response, _, nth) => {
      if (nth === 0) cutAfter(response, "id: 5, x\u2028\ndata: 1\n\nid: 99999999999\ndata: 1\n\n")
      else events(response).end(told(TEXTS))
    })
    expect((await heard(client)).texts).toEqual(TEXTS)
    expect(server.seen[1]?.headers).not.toHaveProperty("last-event-id")
  })
})

it("stays with a stream that only says that it is still there", async () => {
  const client = await asking(
    (response) => {
      events(response).write(eventText(0, "start", {}))
      let beats = 0
      const beating = setInterval(() => {
        beats += 1
        response.write(": still here\n\n")
        if (beats < 30) return
        clearInterval(beating)
        response.end(told(TEXTS))
      }, 50)
    },
    { idleTimeout: 1_000, retries: 0 },
  )
  expect((await heard(client)).texts).toEqual(TEXTS)
})

it("gives no name to a question that must not be kept, and asks it anew", async () => {
  const client = await asking((response, _, nth) => {
    if (nth > 0) events(response).end(told(TEXTS))
    else cutAfter(response, told(TEXTS).slice(0, -20))
  })
  const texts: string[] = []
  for await (const event of client.stream({ ...ASKED, store: false })) {
    if (event.kind === "text") texts.push(event.text)
  }
  expect(texts).toEqual(TEXTS)
  for (const { headers } of server.seen) expect(headers).not.toHaveProperty("idempotency-key")
})

describe("stopping", () => {
  const begun = (response: ServerResponse) => events(response).write(told(TEXTS).slice(0, -20))

  it("ends a stream in the same turn and lets go of the connection", async () => {
    const client = await asking(begun)
    const stopping = new AbortController()
    const stream = client.stream(ASKED, { signal: stopping.signal })
    for (const text of TEXTS)
      expect(await stream.next()).toEqual({ done: false, value: { kind: "text", text } })
    let error: unknown
    stream.next().catch((caught: unknown) => {
      error = caught
    })
    await new Promise(setImmediate)
    expect(error).toBeUndefined()
    stopping.abort()
    await new Promise(setImmediate)
    expect(error).toMatchObject({ kind: "aborted" })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await server.seen[0]?.closed
    expect(server.seen).toHaveLength(1)
  })

  it("ends the wait before another try", async () => {
    const stopping = new AbortController()
    let waitEnded = false
    const client = await asking((response) => cutAfter(response, eventText(0, "start", {})), {
      wait: (_, signal) => {
        signal.addEventListener("abort", () => {
          waitEnded = true
        })
        setImmediate(() => stopping.abort())
        return new Promise(() => undefined)
      },
    })
    await expect(heard(client, stopping.signal)).rejects.toMatchObject({ kind: "aborted" })
    expect(waitEnded).toBe(true)
    expect(server.seen).toHaveLength(1)
  })

  it("happens by leaving the loop", async () => {
    const client = await asking(begun)
    for await (const event of client.stream(ASKED)) {
      expect(event).toEqual({ kind: "text", text: TEXTS[0] })
      break
    }
    await server.seen[0]?.closed
  })

  it("leaves no listener on the signal", async () => {
    const client = await asking((response) => events(response).end(told(TEXTS)))
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, given)
    }
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, given)
    }
    await heard(client, signal)
    expect(listeners).toBe(0)
  })
})

it("waits by itself, in real time", async () => {
  const client = await asking((response, _, nth) => {
    if (nth === 0) cutAfter(response, eventText(0, "start", {}))
    else events(response).end(told(TEXTS))
  }, {})
  const began = performance.now()
  expect((await heard(client)).texts).toEqual(TEXTS)
  expect(performance.now() - began).toBeGreaterThanOrEqual(290)
})
