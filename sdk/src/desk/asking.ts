import type { Client } from "../client/createClient.ts"
import { SensecheckError } from "../client/errors.ts"
import type { Place } from "./elsewhere.ts"
import type { Failure, Happening } from "./state.ts"

type Search = (signal: AbortSignal) => Promise<readonly Place[]>

/**
 * Asks, and tells what happens, until the signal says that nobody wants to know any more. Where the passage
 * does not answer, `search` looks elsewhere, if there is one.
 */
export async function ask(
  client: Client,
  question: string,
  passage: string,
  search: Search | false | null,
  signal: AbortSignal,
  tell: (happening: Happening) => void,
): Promise<void> {
  let isAnswered = false
  try {
    for await (const event of client.stream({ question, passage }, { signal })) {
      if (signal.aborted) return
      if (event.kind === "text") {
        tell({ kind: "told", text: event.text })
        continue
      }
      const { reply } = event
      const elsewhere = !reply.in_selected_text && search
      tell({ kind: "ended", reply, related: elsewhere ? "looking" : "off" })
      isAnswered = true
      if (elsewhere) {
        const related = await elsewhere(signal)
        if (!signal.aborted) tell({ kind: "searched", related })
      }
    }
  } catch (error) {
    if (signal.aborted) return
    tell(isAnswered ? { kind: "searched", related: "failed" } : { kind: "failed", error: error as Failure })
    if (!(error instanceof SensecheckError)) throw error
  }
}
