import { type ErrorKind, SensecheckError } from "./errors.ts"

/** Ends one exchange when the caller aborts it, or when nothing was received for too long. */
export interface Deadline {
  /** For `fetch`: aborted when the exchange has to end. */
  readonly signal: AbortSignal
  /** The result of the work, if it comes in time; an error of the work gets this kind. */
  within<T>(milliseconds: number, kind: ErrorKind, work: Promise<T>): Promise<T>
  /** Cancels everything that is still running. */
  done(): void
}

export function createDeadline(caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (kind: ErrorKind) => controller.abort(new SensecheckError(kind))
  const abort = () => stop("aborted")
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason))
  })
  ended.catch(() => undefined) // reported by `within`; without a waiting caller it is no unhandled rejection
  caller?.addEventListener("abort", abort)
  if (caller?.aborted) abort()

  return {
    signal,
    async within(milliseconds, kind, work) {
      const timer = setTimeout(stop, milliseconds, "timeout")
      try {
        return await Promise.race([ended, work])
      } catch (cause) {
        throw signal.aborted ? signal.reason : new SensecheckError(kind, { cause })
      } finally {
        clearTimeout(timer)
      }
    },
    done() {
      caller?.removeEventListener("abort", abort)
      abort()
    },
  }
}
