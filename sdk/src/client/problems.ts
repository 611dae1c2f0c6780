import { type ErrorKind, SensecheckError } from "./errors.ts"
import { isLike } from "./json.ts"

/** A problem detail that the service sent, as an error of ours; of its words only the fixed name is taken. */
export function errorOf(told: unknown, status: number, header?: string | null): SensecheckError {
  const type = isLike(told, { type: "" }) ? told.type : ""
  const problem = /^urn:sensecheck:problem:([a-z-]{1,40})$/.exec(type)?.[1]
  const retryAfter = /^\d{1,9}$/.test(header ?? "")
    ? Number(header)
    : isLike(told, { retry_after: 0 }) && told.retry_after >= 0
      ? told.retry_after
      : undefined
  return new SensecheckError(kindOf(status, problem), { status, retryAfter, problem })
}

function kindOf(status: number, problem: string | undefined): ErrorKind {
  if (status === 429) return "limited"
  if (status === 413) return "too-large"
  if (status === 408 || status === 504) return "timeout"
  if (status === 502 || status === 503 || problem === "under-way") return "busy"
  return status >= 400 && status < 500 ? "refused" : "broken"
}
