import { createDeadline, type Deadline } from "./deadline.ts"
import { baseUrl } from "./endpoint.ts"
import { type ErrorKind, SensecheckError } from "./errors.ts"
import { parseJson, toJson } from "./json.ts"
import { keyHeaders } from "./keys.ts"
import { errorFromProblem } from "./problem.ts"

/** UTF-16 units of a reply. */
const MAX_REPLY_LENGTH = 2 ** 20

export interface ServiceOptions {
  /** "https://api.example.com", or "" for the page's own origin. */
  endpoint: string
  /** A publishable key; a secret one is refused. */
  key?: string | undefined
  /** Milliseconds until the service starts to reply; 15,000 for a stream, 35,000 for a single reply. */
  timeout?: number | undefined
  /** Maximum milliseconds between two bytes of a reply; 25,000. */
  idleTimeout?: number | undefined
  fetch?: typeof fetch | undefined
}

export interface Service {
  base: string
  key: Record<string, string>
  timeout: number | undefined
  idleTimeout: number
  fetch: typeof fetch
}

/** How requests are sent; invalid options are reported here, not at the first request. */
export function createService(options: ServiceOptions): Service {
  const { endpoint, key, timeout, idleTimeout = 25_000, fetch = globalThis.fetch } = options
  return { base: baseUrl(endpoint), key: keyHeaders(key), timeout, idleTimeout, fetch }
}

/**
 * Sends JSON; resolves when the headers of the reply are there. `defaultTimeout` is the time limit in milliseconds
 * without an option, and `lost` the kind of error without a reply.
 */
export async function post(
  { base, key, timeout, idleTimeout, fetch }: Service,
  path: string,
  body: unknown,
  deadline: Deadline,
  defaultTimeout: number,
  headers: Record<string, string> = {},
  lost: ErrorKind = "offline",
): Promise<Response> {
  const request = fetch(base + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...key, ...headers },
    body: toJson(body),
    signal: deadline.signal,
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  })
  const response = await deadline.within(timeout ?? defaultTimeout, lost, request)
  if (response.ok) return response
  // If the problem detail cannot be read, the status alone is used.
  const detail = await readJson(response, deadline, idleTimeout).catch((error: SensecheckError) => {
    if (error.kind === "aborted") throw error
  })
  throw errorFromProblem(detail, response.status, response.headers.get("Retry-After"))
}

/** The text of a reply as it arrives, up to a limit. */
export async function* readChunks(
  response: Response,
  deadline: Deadline,
  idleTimeout: number,
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let length = 0; reader; ) {
    const { value } = await deadline.within(idleTimeout, "cut", reader.read())
    if (value === undefined) return
    length += value.length
    if (length > MAX_REPLY_LENGTH) throw new SensecheckError("too-large")
    yield value
  }
}

/**
 * Sends JSON and reads JSON; undefined if the reply has no body. A reply starts when its answer is complete,
 * for which the service allows its model 30 seconds.
 */
export async function postJson(
  service: Service,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const deadline = createDeadline(signal)
  try {
    return await readJson(await post(service, path, body, deadline, 35_000), deadline, service.idleTimeout)
  } finally {
    deadline.done()
  }
}

async function readJson(response: Response, deadline: Deadline, idleTimeout: number): Promise<unknown> {
  let text = ""
  for await (const chunk of readChunks(response, deadline, idleTimeout)) text += chunk
  return text ? parseJson(text) : undefined
}
