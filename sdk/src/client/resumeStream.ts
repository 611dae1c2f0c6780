import { createDeadline } from "./deadline.ts"
import { SensecheckError } from "./errors.ts"
import { type AnswerEvent, readAnswer, type StreamProgress } from "./readAnswer.ts"
import type { Service } from "./service.ts"

/** Milliseconds before the first retry; doubled for each further one. */
const FIRST_PAUSE = 300
/** Milliseconds; if a service asks for more, the request fails instead. */
const MAX_PAUSE = 10_000

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Streams an answer to its end, with up to `retries` further connections. */
export async function* resumeStream(
  service: Service,
  body: unknown,
  headers: Record<string, string>,
  caller: AbortSignal | undefined,
  retries: number,
  wait: Wait = sleep,
): AsyncGenerator<AnswerEvent> {
  const progress: StreamProgress = { text: "", sent: "", lastId: "" }
  for (let tries = 0; ; tries++) {
    try {
      yield* readAnswer(service, body, headers, progress, caller)
      return
    } catch (error) {
      const pause = pauseAfter(error, progress.lastId !== "", tries)
      if (pause === undefined || tries === retries) throw error
      const deadline = createDeadline(caller)
      try {
        await deadline.within(2 * MAX_PAUSE, "cut", wait(pause, deadline.signal))
      } finally {
        deadline.done()
      }
    }
  }
}

/** Milliseconds to wait before a retry; undefined if there should be none. */
function pauseAfter(error: unknown, hasStarted: boolean, tries: number): number | undefined {
  if (!(error instanceof SensecheckError)) return undefined
  const { kind, retryAfter = 0 } = error
  if (kind !== "cut" && kind !== "busy" && !(hasStarted && kind === "timeout")) return undefined
  const pause = Math.max(retryAfter * 1000, FIRST_PAUSE * 2 ** tries * (1 + Math.random()))
  return pause > MAX_PAUSE ? undefined : pause
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
