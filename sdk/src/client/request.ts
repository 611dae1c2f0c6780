import { baseOf } from "./endpoint.ts"
import { type ErrorKind, SensecheckError } from "./errors.ts"
import { parseJson, toJson } from "./json.ts"
import { keyHeaders } from "./keys.ts"
import { createPatience, type Patience } from "./patience.ts"
import { errorOf } from "./problems.ts"

/** UTF-16 units of a reply. */
const LONGEST_REPLY = 2 ** 20

export interface ServiceOptions {
  /** "https://api.example.com", or "" for the page's own origin. */
  endpoint: string
  /** A publishable key; a secret one is refused. */
  key?: string | undefined
  /** Milliseconds until the service begins to reply; 15,000 for a stream, and 35,000 for a reply in one piece. */
  timeout?: number | undefined
  /** Milliseconds without a byte, once it has begun; 25,000. */
  quiet?: number | undefined
  fetch?: typeof fetch | undefined
}

export interface Service {
  base: string
  key: Record<string, string>
  timeout: number | undefined
  quiet: number
  fetch: typeof fetch
}

/** Where and how requests are sent; what is wrong with the options is said here, not at the first request. */
export function serviceOf(options: ServiceOptions): Service {
  const { endpoint, key, timeout, quiet = 25_000, fetch = globalThis.fetch } = options
  return { base: baseOf(endpoint), key: keyHeaders(key), timeout, quiet, fetch }
}

/**
 * Sends JSON; gives the reply once its head is here. `patient` is for how many milliseconds that may take where
 * no option says it, and `lost` what it is called when nobody replies.
 */
export async function post(
  { base, key, timeout, quiet, fetch }: Service,
  path: string,
  body: unknown,
  patience: Patience,
  patient: number,
  headers: Record<string, string> = {},
  lost: ErrorKind = "offline",
): Promise<Response> {
  const sent = fetch(base + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...key, ...headers },
    body: toJson(body),
    signal: patience.signal,
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  })
  const response = await patience.within(timeout ?? patient, lost, sent)
  if (response.ok) return response
  // Where what it says of the failure cannot be read, its status has to say enough.
  const told = await dataIn(response, patience, quiet).catch((error: SensecheckError) => {
    if (error.kind === "aborted") throw error
  })
  throw errorOf(told, response.status, response.headers.get("Retry-After"))
}

/** The text of a reply as it comes, up to a limit. */
export async function* textsOf(
  response: Response,
  patience: Patience,
  quiet: number,
): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let length = 0; reader; ) {
    const { value } = await patience.within(quiet, "cut", reader.read())
    if (value === undefined) return
    length += value.length
    if (length > LONGEST_REPLY) throw new SensecheckError("too-large")
    yield value
  }
}

/**
 * Sends JSON and reads JSON; undefined where the reply has no body. Such a reply begins when its answer is
 * written, for which the service itself gives its writer 30 seconds.
 */
export async function exchange(
  service: Service,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const patience = createPatience(signal)
  try {
    return await dataIn(await post(service, path, body, patience, 35_000), patience, service.quiet)
  } finally {
    patience.done()
  }
}

async function dataIn(response: Response, patience: Patience, quiet: number): Promise<unknown> {
  let text = ""
  for await (const piece of textsOf(response, patience, quiet)) text += piece
  return text ? parseJson(text) : undefined
}
