import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Seen {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  /** Fulfilled when the connection is gone, or the reply is out. */
  closed: Promise<void>
}

export interface ScriptedServer {
  url: string
  seen: Seen[]
  close(): Promise<void>
}

/** A real server on this machine that does what a test says, request by request. */
export function startServer(
  reply: (response: ServerResponse, seen: Seen, nth: number) => void,
): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const closed = new Promise<void>((resolve) => response.on("close", () => resolve()))
      const body = JSON.parse(Buffer.concat(pieces).toString())
      const one = { path: request.url ?? "", headers: request.headers, body, closed }
      seen.push(one)
      reply(response, one, seen.length - 1)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}`,
        seen,
        close: () =>
          new Promise((ended) => {
            server.close(() => ended())
            server.closeAllConnections()
          }),
      })
    })
  })
}

/** An event as the service sends it. */
export function eventText(id: number, name: string, data: unknown): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The head of a reply of events. */
export function events(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" })
}

/** A problem, as the service tells it. */
export function problem(
  response: ServerResponse,
  status: number,
  name: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/problem+json", ...headers })
  response.end(
    JSON.stringify({ type: `urn:sensecheck:problem:${name}`, title: "<b>", status, detail: "<i>" }),
  )
}

/** A reply to a question, as far as a client looks at it. */
export function replyWith(answer: string): Record<string, unknown> {
  return {
    id: "01981f6a-7c00-7aaa-8bbb-0123456789ab",
    decision: "accepted",
    outcome: "pass",
    answer,
    in_selected_text: true,
    missing: [],
    injections: [],
    removed: [],
    claims: [{ text: answer, start: 0, end: answer.length, evidence: [] }],
  }
}
