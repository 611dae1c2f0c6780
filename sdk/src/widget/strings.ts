import type { ErrorKind } from "../client/errors.ts"

/** The errors of a question; each has its own sentence. */
type QuestionError = Exclude<ErrorKind, "aborted" | "secret-key">

/** All texts of the widget. */
export interface Strings extends Record<`error-${QuestionError}`, string> {
  /** The button next to a selection, and the title of the dialog. */
  ask: string
  /** Label and placeholder of the question field. */
  question: string
  send: string
  close: string
  /** Announced when a question is sent, and shown until the answer arrives. */
  looking: string
  /** Heading of an answer, and prefix of its announcement. */
  found: string
  /** Note below an answer that was ended early. */
  cut: string
  /** Label of the buttons that show the evidence. */
  evidence: string
  /** Precedes words of the question that are not in the selection. */
  missing: string
  /** Note if instructions in the selection were ignored. */
  injection: string
  /** Note if the selection is longer than the part that is sent. */
  long: string
  /** Related sections of the page: heading of the results, while searching, without results, and on failure. */
  related: string
  relatedLooking: string
  relatedNone: string
  relatedFailed: string
  helpful: string
  notHelpful: string
  again: string
  /** Follows an error if the service states how many seconds to wait: `{n}`. */
  wait: string
}

export const ENGLISH: Strings = {
  ask: "Ask about this",
  question: "Your question",
  send: "Ask",
  close: "Close",
  looking: "Searching the selection …",
  found: "From the selection",
  cut: "The rest was not in the selection.",
  evidence: "Show in the page",
  missing: "The selection does not mention:",
  injection: "Instructions to an AI were ignored.",
  long: "Only the beginning of the selection is used.",
  related: "Elsewhere on this page",
  relatedLooking: "Searching the rest of the page …",
  relatedNone: "Nothing was found in the rest of the page.",
  relatedFailed: "The rest of the page could not be searched.",
  helpful: "Helpful",
  notHelpful: "Not helpful",
  again: "Try again",
  wait: "Try again in {n} s.",
  "error-offline": "The service cannot be reached.",
  "error-timeout": "The service took too long.",
  "error-cut": "The connection was lost.",
  "error-limited": "Too many questions.",
  "error-busy": "The service is busy.",
  "error-refused": "The service refused the request.",
  "error-too-large": "The text is too long.",
  "error-broken": "Something went wrong.",
}

/** The given texts, with English ones for the rest. */
export function withDefaults(custom: { [Name in keyof Strings]?: string | undefined } = {}): Strings {
  const strings = { ...ENGLISH }
  let name: keyof Strings
  for (name in strings) strings[name] = custom[name] ?? strings[name]
  return strings
}
