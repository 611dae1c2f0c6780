export type ErrorKind =
  | "offline"
  | "timeout"
  | "cut"
  | "aborted"
  | "limited"
  | "busy"
  | "refused"
  | "too-large"
  | "broken"
  | "secret-key"

interface Circumstances {
  status?: number
  retryAfter?: number | undefined
  problem?: string | undefined
  cause?: unknown
}

/** What went wrong. The message is made of our own words, never of any that a server sent. */
export class SensecheckError extends Error {
  override readonly name = "SensecheckError"
  declare readonly kind: ErrorKind
  /** Of the reply; 0 without one. */
  declare readonly status: number
  /** Seconds. */
  declare readonly retryAfter: number | undefined
  /** What the service calls it, such as `rate-limited`. */
  declare readonly problem: string | undefined

  constructor(kind: ErrorKind, { status = 0, retryAfter, problem, cause }: Circumstances = {}) {
    super(`sensecheck: ${kind}${kind === "secret-key" ? "; a page wants a publishable one" : ""}`, { cause })
    Object.assign(this, { kind, status, retryAfter, problem })
  }
}
