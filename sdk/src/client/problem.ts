import { type ErrorKind, SensecheckError } from "./errors.ts"
import { hasShape } from "./json.ts"

/** The error for a problem detail of the service; of its text only the fixed name is used. */
export function errorFromProblem(
  detail: unknown,
  status: number,
  retryAfterHeader?: string | null,
): SensecheckError {
  const type = hasShape(detail, { type: "" }) ? detail.type : ""
  const problem = /^urn:sensecheck:problem:([a-z-]{1,40})$/.exec(type)?.[1]
  const retryAfter = /^\d{1,9}$/.test(retryAfterHeader ?? "")
    ? Number(retryAfterHeader)
    : hasShape(detail, { retry_after: 0 }) && detail.retry_after >= 0
      ? detail.retry_after
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
