import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { AWAY, PAYLOADS } from "./payloads.ts"

const STATUSES = [400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503]
const DECISIONS = ["accepted", "cut", "no-answer", "held-back"]

/** A server that stands where the API should be, and means harm. */
export interface Hostile {
  url: string
  /** The paths that were asked for, preflights left out. */
  asked: string[]
  end(): Promise<void>
}

/** What it does is said by the question: `answer 17`, `problem 17`, `page 17`, or the name of a trick. */
export async function openHostile(): Promise<Hostile> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*")
    response.setHeader("access-control-allow-headers", "*, authorization")
    response.setHeader("access-control-expose-headers", "*")
    if (request.method === "OPTIONS") {
      response.writeHead(204).end()
      return
    }
    asked.push(request.url ?? "")
    const question = await questionOf(request)
    const [trick = "", number = "0"] = question.split(" ")
    const payload = PAYLOADS[Number(number)] ?? trick
    if (request.url === "/v1/related") json(response, 200, related(payload))
    else if (trick === "answer") stream(response, answerEvents(payload, Number(number)))
    else if (trick === "problem") problem(response, payload, Number(number))
    else if (trick === "page") response.writeHead(200, { "content-type": "text/html" }).end(payload)
    else played(trick, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async end() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Replies that no honest server gives; each is a name that a question can have. */
export const TRICKS: Record<string, (response: ServerResponse) => void> = {
  redirect: (response) => response.writeHead(302, { location: `${AWAY}/moved` }).end(),
  "keep-redirecting": (response) => response.writeHead(307, { location: "/v1/answers" }).end(),
  nothing: (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  "no-content": (response) => response.writeHead(204).end(),
  "wrong-types": (response) =>
    stream(response, [
      event("delta", { text: 7, checked: "yes" }),
      event("end", { answer: [], claims: 1, id: {} }),
    ]),
  "null-reply": (response) => stream(response, ["event: end\ndata: null\n\n"]),
  "no-json": (response) => stream(response, ["event: delta\ndata: <img src=x onerror=canary()>\n\n"]),
  pollution: (response) =>
    stream(response, [
      'event: delta\ndata: {"__proto__":{"polluted":1},"text":"x","checked":true}\n\n',
      'event: end\ndata: {"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\n\n',
    ]),
  "event-names": (response) =>
    stream(response, [
      "event: __proto__\ndata: {}\n\n",
      "event: constructor\ndata: {}\n\n",
      "event: toString\n\n",
    ]),
  "bad-ids": (response) =>
    stream(response, ["id: \u20ac\u0007\nevent: start\ndata: {}\n\n", "id: x\r\ny: z\n\n"]),
  "endless-line": (response) => stream(response, [`data: ${"x".repeat(3 << 20)}`]),
  "endless-text": (response) => stream(response, Array(400).fill(delta("word ".repeat(200)))),
  "endless-comments": (response) => stream(response, Array(400).fill(`:${"c".repeat(8000)}\n\n`)),
  "far-evidence": (response) =>
    stream(response, [
      delta("x"),
      event("end", reply("x", { evidence: [{ where: "passages[0]", start: -5, end: 1e9 }] })),
    ]),
  "many-claims": (response) =>
    stream(response, [delta("x"), event("end", { ...reply("x"), claims: manyClaims() })]),
  "odd-places": (response) =>
    stream(response, [
      delta("x"),
      event("end", reply("x", { evidence: [{ where: "answer", start: "1", end: null }] })),
    ]),
  "id-elsewhere": (response) =>
    stream(response, [delta("x"), event("end", { ...reply("x"), id: `//${"away.invalid"}/x` })]),
  "id-upwards": (response) =>
    stream(response, [delta("x"), event("end", { ...reply("x"), id: "../../v1/keys?a=b#c" })]),
  "unchecked-text": (response) =>
    stream(response, [
      'event: delta\ndata: {"text":"never checked","checked":false}\n\n',
      event("end", reply("y")),
    ]),
  "two-ends": (response) =>
    stream(response, [event("end", reply("one")), event("end", reply("two")), delta("three")]),
}

function played(trick: string, response: ServerResponse): void {
  const play = TRICKS[trick]
  if (play) play(response)
  else response.writeHead(500).end(`there is no trick ${trick}`)
}

function answerEvents(payload: string, number: number): string[] {
  const decision = DECISIONS[number % DECISIONS.length]
  const shown = decision === "accepted" || decision === "cut"
  const end = {
    ...reply(payload, { text: payload }),
    decision,
    in_selected_text: shown,
    missing: shown ? [] : [payload],
  }
  const told = shown ? [delta(payload)] : []
  return [
    event("start", { id: payload, policy: payload, writer: payload, hold: "claim" }),
    ...told,
    event("end", end),
  ]
}

function reply(text: string, claim: Record<string, unknown> = {}): Record<string, unknown> {
  const place = { where: "passages[0]", start: 0, end: Math.min(text.length, 20), text }
  return {
    id: text,
    decision: "accepted",
    outcome: "pass",
    answer: text,
    in_selected_text: true,
    because: text,
    missing: [],
    claims: [
      { text, start: 0, end: text.length, support: "supported", because: text, evidence: [place], ...claim },
    ],
    injections: [place],
    removed: [{ kind: text, count: 1 }],
    model: { encoder: text, verifier: null },
    policy: text,
    writer: text,
    offsets: "utf16",
    stored: true,
    timing: { write_ms: 1, check_ms: 1, total_ms: 2 },
  }
}

function manyClaims(): unknown[] {
  const evidence = [{ where: "passages[0]", start: 0, end: 3, text: "The" }]
  return Array.from({ length: 5000 }, () => ({
    text: "x",
    start: 0,
    end: 1,
    support: "supported",
    because: "",
    evidence,
  }))
}

function related(payload: string): unknown {
  const section = { start: 0, end: 5, text: payload }
  return {
    sections: [
      { id: "s0", ...section },
      { id: payload, ...section },
      { id: "__proto__", ...section },
    ],
  }
}

function problem(response: ServerResponse, payload: string, number: number): void {
  const status = STATUSES[number % STATUSES.length] ?? 500
  const header = payload.replaceAll(/[^\x20-\x7e]/g, " ").slice(0, 2000)
  response.setHeader("retry-after", number % 2 ? header : "1")
  const type = number % 3 ? `urn:sensecheck:problem:${payload}` : payload
  json(response, status, {
    type,
    title: payload,
    status,
    detail: payload,
    errors: [{ pointer: payload, detail: payload }],
  })
}

function event(name: string, data: unknown): string {
  return `id: 0\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function delta(text: string): string {
  return event("delta", { text, checked: true })
}

function stream(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""))
}

function json(response: ServerResponse, status: number, data: unknown): void {
  response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(data))
}

async function questionOf(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const chunk of request) body += chunk
  const sent = body ? (JSON.parse(body) as { question?: string }) : {}
  return sent.question ?? ""
}
