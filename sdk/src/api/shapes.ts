import type { components } from "./generated.ts"

type Schemas = components["schemas"]

/** What a question came to: the answer with its evidence, or the sentence that says that there is none. */
export type AnswerReply = Schemas["AnswerReply"]
/** One claim of an answer, with the places in the passage that hold it up. */
export type Claim = Schemas["ToldClaim"]
/** A stretch of the passage or of the answer; `start` and `end` count as JavaScript does. */
export type PlacedText = Schemas["PlacedText"]
/** A section that answers the question, and its best sentence. */
export type RelatedSection = Schemas["RelatedSection"]
/** What the route of the older contract answers. */
export type SelectedTextReply = Schemas["SelectedTextReply"]
