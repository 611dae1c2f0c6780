import type { Answers } from "../answers/index.ts"
import type { DialogState, Failure } from "./state.ts"
import type { DialogStrings } from "./strings.ts"

/**
 * The text of the status region. It changes twice for each question: when the question is sent, and when the
 * result is complete, including related sections.
 */
export function statusText(
  dialog: DialogState,
  strings: DialogStrings,
  answers: Answers | undefined,
): string {
  if (dialog.name === "asking") return strings.looking
  if (dialog.name === "failed") return failureText(dialog.error, strings)
  if (dialog.name !== "answered") return ""
  return answers ? answers.announcement(dialog) : dialog.reply.answer
}

/** The sentence for an error, with the time to wait if it is known. */
export function failureText({ kind, retryAfter }: Failure, strings: DialogStrings): string {
  const sentence = strings[`error-${kind as "broken"}`] ?? strings["error-broken"]
  return retryAfter === undefined
    ? sentence
    : `${sentence} ${strings.wait.replace("{n}", `${Math.ceil(retryAfter)}`)}`
}
