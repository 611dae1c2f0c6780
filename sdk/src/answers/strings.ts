import { type AnswerStrings, DIALOG_ENGLISH, type Strings } from "../widget/strings.ts"

export const ANSWER_ENGLISH: AnswerStrings = {
  found: "From the selection",
  cut: "The rest was not in the selection.",
  evidence: "Show in the page",
  none: "The selected text does not contain the answer.",
  missing: "The selection does not mention:",
  injection: "Instructions to an AI were ignored.",
  related: "Elsewhere on this page",
  relatedLooking: "Searching the rest of the page …",
  relatedNone: "Nothing was found in the rest of the page.",
  relatedFailed: "The rest of the page could not be searched.",
  helpful: "Helpful",
  notHelpful: "Not helpful",
  earlier: "Earlier answers",
}

export const ENGLISH: Strings = { ...DIALOG_ENGLISH, ...ANSWER_ENGLISH }
