import { type ErrorKind, SensecheckError } from "./errors.ts"

/** Watches over one exchange: it ends when the caller says so, or when nothing came for too long. */
export interface Patience {
  /** For `fetch`: aborted when the exchange has to end. */
  readonly signal: AbortSignal
  /** The work's result, if it comes before the exchange has to end; a failure of its own is of this kind. */
  within<T>(milliseconds: number, kind: ErrorKind, work: Promise<T>): Promise<T>
  /** Over: whatever is still under way is cancelled. */
  done(): void
}

export function createPatience(caller: AbortSignal | undefined): Patience {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (kind: ErrorKind) => controller.abort(new SensecheckError(kind))
  const leave = () => stop("aborted")
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason))
  })
  ended.catch(() => undefined) // whoever waits is told below; nobody waiting is no mistake
  caller?.addEventListener("abort", leave)
  if (caller?.aborted) leave()

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
      caller?.removeEventListener("abort", leave)
      leave()
    },
  }
}
