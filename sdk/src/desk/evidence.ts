import type { AnswerReply } from "../api/shapes.ts"
import type { Passage } from "../page/passage.ts"

/** A claim of the answer that the passage bears out. */
export interface Proof {
  /** Where the claim ends in the answer. */
  readonly end: number
  /** The evidence as it stands in the page now; empty when it is no longer there. */
  find(): Range[]
}

/** Claims with evidence; a page with thousands of marks would stand still. */
const MOST = 99

/** The claims that have evidence, in the order of the answer. */
export function proofsOf(reply: AnswerReply, passage: Passage): Proof[] {
  return (reply.claims ?? [])
    .filter(({ evidence }) => evidence?.length)
    .sort((one, other) => one.end - other.end)
    .slice(0, MOST)
    .map(({ end, evidence }) => ({
      end,
      find: () => (evidence ?? []).flatMap((place) => passage.rangeOf(place.start, place.end) ?? []),
    }))
}
