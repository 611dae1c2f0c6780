import type { SectionMatch } from "../answers/relatedSections.ts"
import type { Client } from "../client/createClient.ts"
import { SensecheckError } from "../client/errors.ts"
import type { Failure, WidgetEvent } from "./state.ts"

type Search = (signal: AbortSignal) => Promise<readonly SectionMatch[]>

/**
 * Asks a question and dispatches its events, until the signal is aborted. The answer is dispatched once `prepared`
 * has ended. If the passage does not answer, `search` looks for related sections, if there is one.
 */
export async function askQuestion(
  client: Client,
  question: string,
  passage: string,
  prepared: Promise<unknown>,
  search: Search | false | null,
  signal: AbortSignal,
  dispatch: (event: WidgetEvent) => void,
): Promise<void> {
  let isAnswered = false
  try {
    for await (const event of client.stream({ question, passage }, { signal })) {
      if (signal.aborted) return
      if (event.kind === "text") {
        dispatch({ kind: "text", text: event.text })
        continue
      }
      await prepared
      if (signal.aborted) return
      const { reply } = event
      const searchRelated = !reply.in_selected_text && search
      dispatch({ kind: "ended", reply, related: searchRelated ? "looking" : "off" })
      isAnswered = true
      if (searchRelated) {
        const related = await searchRelated(signal)
        if (!signal.aborted) dispatch({ kind: "searched", related })
      }
    }
  } catch (error) {
    if (signal.aborted) return
    dispatch(
      isAnswered ? { kind: "searched", related: "failed" } : { kind: "failed", error: error as Failure },
    )
    if (!(error instanceof SensecheckError)) throw error
  }
}
