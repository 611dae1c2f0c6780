import type { Failure, Related, Talk } from "./state.ts"
import type { Strings } from "./strings.ts"

/**
 * What the status region says of a talk. It changes twice for each question: when the question is sent, and
 * when everything is known, other sections included.
 */
export function announced(talk: Talk, strings: Strings): string {
  if (talk.name === "asking") return strings.looking
  if (talk.name === "failed") return failureText(talk.error, strings)
  if (talk.name !== "answered") return ""
  const { reply, related } = talk
  if (related === "looking") return strings.looking
  const sentences = reply.in_selected_text
    ? [`${strings.found}: ${reply.answer}`, reply.decision === "cut" && strings.cut]
    : [reply.answer, missingText(reply.missing, strings), relatedText(related, strings)]
  return sentences.filter((sentence) => sentence).join(" ")
}

/** The sentence for an error, and how long to wait where that is known. */
export function failureText({ kind, retryAfter }: Failure, strings: Strings): string {
  const sentence = strings[`error-${kind as "broken"}`] ?? strings["error-broken"]
  return retryAfter === undefined
    ? sentence
    : `${sentence} ${strings.wait.replace("{n}", `${Math.ceil(retryAfter)}`)}`
}

/** The words which the selection lacks; empty where it lacks none. */
export function missingText(words: readonly string[], strings: Strings): string {
  return words.length ? `${strings.missing} ${words.join(", ")}` : ""
}

/** How the search in other sections stands, or over those that were found. */
export function relatedText(related: Related, strings: Strings): string {
  if (related === "off") return ""
  if (related === "looking") return strings.relatedLooking
  if (related === "failed") return strings.relatedFailed
  return related.length ? `${strings.related}: ${related.length}` : strings.relatedNone
}
