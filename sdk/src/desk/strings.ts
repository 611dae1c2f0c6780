import type { ErrorKind } from "../client/errors.ts"

/** What can go wrong with one question; each has a sentence of its own. */
type Trouble = Exclude<ErrorKind, "aborted" | "secret-key">

/** Every word that a reader sees or hears of us. */
export interface Strings extends Record<`error-${Trouble}`, string> {
  /** The button beside a selection, and the title of the dialog. */
  ask: string
  /** The name of the field for the question, and what stands in it while it is empty. */
  question: string
  send: string
  close: string
  /** Announced when a question is sent, and shown until the answer is there. */
  looking: string
  /** Stands over an answer, and before it where it is announced. */
  found: string
  /** Stands below an answer that was ended early. */
  cut: string
  /** Stands before the numbers that lead to the evidence. */
  evidence: string
  /** Stands before words of the question that the selection does not have. */
  missing: string
  injection: string
  /** The selection is longer than what is read of it. */
  long: string
  /** Sections of the same page: over those that were found, while they are looked for, and where none were. */
  related: string
  relatedLooking: string
  relatedNone: string
  relatedFailed: string
  helpful: string
  notHelpful: string
  again: string
  /** Follows an error, where the service said how many seconds to wait: `{n}`. */
  wait: string
}

export const ENGLISH: Strings = {
  ask: "Ask about this",
  question: "Your question",
  send: "Ask",
  close: "Close",
  looking: "Looking in the selected text …",
  found: "From the selection",
  cut: "The rest was not in the selection.",
  evidence: "Show in the page",
  missing: "The selection does not mention:",
  injection: "A part that speaks to a machine was not used.",
  long: "Only the beginning of the selection is read.",
  related: "Elsewhere on this page",
  relatedLooking: "Looking in the rest of the page …",
  relatedNone: "Nothing was found in the rest of the page.",
  relatedFailed: "The rest of the page cannot be searched.",
  helpful: "Helpful",
  notHelpful: "Not helpful",
  again: "Try again",
  wait: "Try again in {n} s.",
  "error-offline": "The service cannot be reached.",
  "error-timeout": "The service took too long.",
  "error-cut": "The connection was lost.",
  "error-limited": "Too many questions just now.",
  "error-busy": "The service is busy.",
  "error-refused": "The service does not answer this page.",
  "error-too-large": "This is too long.",
  "error-broken": "Something went wrong.",
}

/** The words to use: those that are given, and English ones for the rest. */
export function wordsWith(given: { [Name in keyof Strings]?: string | undefined } = {}): Strings {
  const words = { ...ENGLISH }
  let name: keyof Strings
  for (name in words) words[name] = given[name] ?? words[name]
  return words
}
