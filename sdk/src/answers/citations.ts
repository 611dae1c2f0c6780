import type { AnswerReply } from "../api/shapes.ts"
import { type Passage, rangeInPage } from "../page/passage.ts"

/** A claim of the answer with its evidence in the passage. */
export interface Citation {
  /** End of the claim in the answer. */
  readonly end: number
  /** The text of the evidence. */
  readonly quote: string
  /** The evidence in the page as it is now; empty if it is no longer there. */
  find(): Range[]
}

/** Thousands of highlights would make a page unresponsive. */
const MAX_CITATIONS = 99

/** The claims that have evidence, in the order of the answer. */
export function citationsOf(reply: AnswerReply, passage: Passage): Citation[] {
  return (reply.claims ?? [])
    .filter(({ evidence }) => evidence?.length)
    .sort((one, other) => one.end - other.end)
    .slice(0, MAX_CITATIONS)
    .map(({ end, evidence }) => ({
      end,
      quote: passage.text.slice(evidence?.[0]?.start, evidence?.[0]?.end),
      find: () => (evidence ?? []).flatMap((span) => rangeInPage(passage, span.start, span.end) ?? []),
    }))
}
