import type { components } from "./generated.ts"

type Schemas = components["schemas"]

/** The reply to a question: the answer with its evidence, or a sentence that there is none. */
export type AnswerReply = Schemas["AnswerReply"]
/** One claim of an answer, with the spans of the passage that support it. */
export type Claim = Schemas["ToldClaim"]
/** A span of the passage or of the answer; `start` and `end` are in UTF-16 units. */
export type PlacedText = Schemas["PlacedText"]
/** A section that answers the question, and its best sentence. */
export type RelatedSection = Schemas["RelatedSection"]
/** The reply of `/query-selected-text`. */
export type SelectedTextReply = Schemas["SelectedTextReply"]
