import type { AnswerReply, RelatedSection, SelectedTextReply } from "../api/shapes.ts"
import { SensecheckError } from "./errors.ts"
import { isLike } from "./json.ts"

/** Characters of an answer, as the service counts them. */
const LONGEST_ANSWER = 8_000

const PLACED = { text: "", start: 0, end: 0 }
const ANSWER = {
  id: "",
  decision: "",
  answer: "",
  in_selected_text: true,
  missing: [""],
  injections: [PLACED],
}

/** The text, unless it is longer than any answer of the service. */
export function bounded(text: string): string {
  if ([...text].length > LONGEST_ANSWER) throw new SensecheckError("too-large")
  return text
}

/** The data, if they are like the example; what is not is broken before anybody draws it. */
export function like<T>(data: unknown, example: T): T {
  if (!isLike(data, example)) throw new SensecheckError("broken")
  return data
}

export function answerIn(data: unknown): AnswerReply {
  bounded(like(data, ANSWER).answer)
  const reply = data as AnswerReply
  const claims = reply.claims ?? []
  like(claims, [PLACED])
  for (const { evidence } of claims) like(evidence ?? [], [PLACED])
  return reply
}

export function relatedIn(data: unknown): RelatedSection[] {
  return like(data, { sections: [{ ...PLACED, id: "" }] }).sections
}

export function selectedTextIn(data: unknown): SelectedTextReply {
  bounded(like(data, { response: "", in_selected_text: true }).response)
  return data as SelectedTextReply
}
