import { type AnswerEvent, type Heard, listen } from "./answerStream.ts"
import { SensecheckError } from "./errors.ts"
import { createPatience } from "./patience.ts"
import type { Service } from "./request.ts"

/** Milliseconds before the first try again; it doubles. */
const PAUSE = 300
/** Milliseconds; a service that wants more is left alone, and the reader is told. */
const LONGEST_PAUSE = 10_000

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** An answer to its end, over as many connections as `retries` allows. */
export async function* resumed(
  service: Service,
  body: unknown,
  headers: Record<string, string>,
  caller: AbortSignal | undefined,
  retries: number,
  wait: Wait = sleep,
): AsyncGenerator<AnswerEvent> {
  const heard: Heard = { text: "", sent: "", lastId: "" }
  for (let tries = 0; ; tries++) {
    try {
      yield* listen(service, body, headers, heard, caller)
      return
    } catch (error) {
      const pause = pauseAfter(error, heard.lastId !== "", tries)
      if (pause === undefined || tries === retries) throw error
      const patience = createPatience(caller)
      try {
        await patience.within(2 * LONGEST_PAUSE, "cut", wait(pause, patience.signal))
      } finally {
        patience.done()
      }
    }
  }
}

/** How long to wait before this is tried again; undefined if it should not be. */
function pauseAfter(error: unknown, began: boolean, tries: number): number | undefined {
  if (!(error instanceof SensecheckError)) return undefined
  const { kind, retryAfter = 0 } = error
  if (kind !== "cut" && kind !== "busy" && !(began && kind === "timeout")) return undefined
  const pause = Math.max(retryAfter * 1000, PAUSE * 2 ** tries * (1 + Math.random()))
  return pause > LONGEST_PAUSE ? undefined : pause
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
