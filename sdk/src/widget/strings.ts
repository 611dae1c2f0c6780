import type { ErrorKind } from "../client/errors.ts"

/** The errors of a question; each has its own sentence. */
type QuestionError = Exclude<ErrorKind, "aborted" | "secret-key">

/** The texts of the button and the dialog. */
export interface DialogStrings extends Record<`error-${QuestionError}`, string> {
  /** The button next to a selection, and the title of the dialog. */
  ask: string
  /** Label and placeholder of the question field. */
  question: string
  send: string
  close: string
  /** Announced when a question is sent, and shown until the answer arrives. */
  looking: string
  /** Note if the selection is longer than the part that is sent. */
  long: string
  /** Label of the questions that the site suggests. */
  suggestions: string
  again: string
  /** Follows an error if the service states how many seconds to wait: `{n}`. */
  wait: string
}

/** The texts of an answer. */
export interface AnswerStrings {
  /** Heading of an answer, and prefix of its announcement. */
  found: string
  /** Note below an answer that was ended early. */
  cut: string
  /** Label of the links that show the evidence. */
  evidence: string
  /** The service's sentence for a selection that does not contain the answer. */
  none: string
  /** Precedes words of the question that are not in the selection. */
  missing: string
  /** Note if instructions in the selection were ignored. */
  injection: string
  /** Related sections of the page: heading of the results, while searching, without results, and on failure. */
  related: string
  relatedLooking: string
  relatedNone: string
  relatedFailed: string
  helpful: string
  notHelpful: string
  /** Heading of the answers about earlier selections. */
  earlier: string
}

/** All texts of the widget. */
export interface Strings extends DialogStrings, AnswerStrings {}

export const DIALOG_ENGLISH: DialogStrings = {
  ask: "Ask about this",
  question: "Your question",
  send: "Ask",
  close: "Close",
  looking: "Searching the selection …",
  long: "Only the beginning of the selection is used.",
  suggestions: "Suggested questions",
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

/** Texts that replace some of those of a language. */
export type CustomStrings = { readonly [Name in keyof Strings]?: string | undefined }

/** The texts of a dialog: the defaults, replaced by those of each of the others in turn. */
export function withDefaults<Texts extends object>(
  defaults: Texts,
  ...others: (CustomStrings | undefined)[]
): Texts & CustomStrings {
  const strings = { ...defaults }
  for (const texts of others)
    for (const [name, text] of Object.entries(texts ?? {}))
      if (typeof text === "string") Object.assign(strings, { [name]: text })
  return strings
}
