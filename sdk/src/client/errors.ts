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

interface ErrorDetails {
  status?: number
  retryAfter?: number | undefined
  problem?: string | undefined
  cause?: unknown
}

/** An error of the client. Its message never contains text that a server sent. */
export class SensecheckError extends Error {
  override readonly name = "SensecheckError"
  declare readonly kind: ErrorKind
  /** HTTP status of the reply; 0 without one. */
  declare readonly status: number
  /** Seconds. */
  declare readonly retryAfter: number | undefined
  /** The service's name of the problem, such as `rate-limited`. */
  declare readonly problem: string | undefined

  constructor(kind: ErrorKind, { status = 0, retryAfter, problem, cause }: ErrorDetails = {}) {
    super(`sensecheck: ${kind}${kind === "secret-key" ? "; use a publishable key" : ""}`, {
      cause,
    })
    Object.assign(this, { kind, status, retryAfter, problem })
  }
}
