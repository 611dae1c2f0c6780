import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"

/** Milliseconds; what was written before a cut is then on its way. */
const SENT = 20
const FOR_EVER = 120_000

/** What the proxy does to one request: nothing, or one of these. */
export interface Fault {
  /** Milliseconds before the first byte of the reply. */
  delay?: number
  /** The connection is cut after so many bytes of the body. */
  cut?: number
  /** After so many bytes of the body nothing more comes, and nothing ends. */
  stall?: number
  /** The bytes of the body come one piece of this many at a time. */
  drip?: number
}

/** A request that came over the proxy. */
export interface Passed {
  method: string
  path: string
  headers: IncomingMessage["headers"]
  body: string
  /** 0 until it was answered. */
  status: number
}

/** A proxy before the real service, which does to requests what networks do. */
export interface FaultProxy {
  url: string
  /** All requests but preflights, in their order. */
  passed: Passed[]
  /** Nobody is there, whoever comes and however often. */
  isDown: boolean
  /** What happens to the next requests for an answer, one after another; then all is well again. */
  next(...faults: Fault[]): void
  end(): Promise<void>
}

export async function startProxy(service: string): Promise<FaultProxy> {
  const passed: Passed[] = []
  let coming: Fault[] = []
  const proxy: FaultProxy = {
    url: "",
    passed,
    isDown: false,
    next(...faults) {
      coming = faults
    },
    async end() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
  const server = createServer(async (request, response) => {
    if (proxy.isDown) {
      request.socket.destroy()
      return
    }
    const body = await bodyOf(request)
    const seen = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      status: 0,
    }
    const one: Passed = { ...seen, body: body.toString() }
    if (one.method !== "OPTIONS") passed.push(one)
    const fault = one.method === "POST" && one.path === "/v1/answers" ? (coming.shift() ?? {}) : {}
    forward(service, one, body, fault, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

/** The request goes on, and its reply back; where one side breaks off, the other is broken off too. */
function forward(service: string, one: Passed, body: Buffer, fault: Fault, response: ServerResponse): void {
  const { host: _, ...headers } = one.headers
  const onward = send(service + one.path, { method: one.method, headers }, async (reply) => {
    one.status = reply.statusCode ?? 0
    if (fault.delay) await after(fault.delay)
    response.writeHead(one.status, reply.rawHeaders).flushHeaders()
    await pipeline(reply, (chunks: AsyncIterable<Buffer>) => faulty(chunks, fault), response).catch(() => {
      onward.destroy()
      response.destroy()
    })
  })
  onward.on("error", () => response.destroy())
  onward.end(body)
}

async function* faulty(chunks: AsyncIterable<Buffer>, fault: Fault): AsyncGenerator<Buffer> {
  let left = fault.cut ?? fault.stall ?? Number.POSITIVE_INFINITY
  for await (const chunk of chunks)
    for (const piece of pieces(chunk, fault.drip)) {
      yield piece.subarray(0, left)
      left -= piece.length
      if (fault.drip !== undefined) await after(1)
      if (left > 0) continue
      await after(fault.stall === undefined ? SENT : FOR_EVER)
      throw new Error("the proxy is cut")
    }
}

function* pieces(chunk: Buffer, size = chunk.length): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref())
}
