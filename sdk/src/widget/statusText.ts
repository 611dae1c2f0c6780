import type { DialogState, Failure, Related } from "./state.ts"
import type { Strings } from "./strings.ts"

/**
 * The text of the status region. It changes twice for each question: when the question is sent, and when the
 * result is complete, including related sections.
 */
export function statusText(dialog: DialogState, strings: Strings): string {
  if (dialog.name === "asking") return strings.looking
  if (dialog.name === "failed") return failureText(dialog.error, strings)
  if (dialog.name !== "answered") return ""
  const { reply, related } = dialog
  if (related === "looking") return strings.looking
  const sentences = reply.in_selected_text
    ? [`${strings.found}: ${reply.answer}`, reply.decision === "cut" && strings.cut]
    : [reply.answer, missingText(reply.missing, strings), relatedText(related, strings)]
  return sentences.filter((sentence) => sentence).join(" ")
}

/** The sentence for an error, with the time to wait if it is known. */
export function failureText({ kind, retryAfter }: Failure, strings: Strings): string {
  const sentence = strings[`error-${kind as "broken"}`] ?? strings["error-broken"]
  return retryAfter === undefined
    ? sentence
    : `${sentence} ${strings.wait.replace("{n}", `${Math.ceil(retryAfter)}`)}`
}

/** The words of the question that are not in the selection; empty without any. */
export function missingText(words: readonly string[], strings: Strings): string {
  return words.length ? `${strings.missing} ${words.join(", ")}` : ""
}

/** The state of the search for related sections, or the number of its results. */
export function relatedText(related: Related, strings: Strings): string {
  if (related === "off") return ""
  if (related === "looking") return strings.relatedLooking
  if (related === "failed") return strings.relatedFailed
  return related.length ? `${strings.related}: ${related.length}` : strings.relatedNone
}
