import type { AnswerReply, RelatedSection, SelectedTextReply } from "../api/shapes.ts"
import { SensecheckError } from "./errors.ts"
import { hasShape } from "./json.ts"

/** Characters of an answer, as the service counts them. */
const MAX_ANSWER_CHARS = 8_000

const SPAN = { text: "", start: 0, end: 0 }
const ANSWER_SHAPE = {
  id: "",
  decision: "",
  answer: "",
  in_selected_text: true,
  missing: [""],
  injections: [SPAN],
}

/** The text, unless it is longer than any answer of the service. */
export function checkLength(text: string): string {
  if ([...text].length > MAX_ANSWER_CHARS) throw new SensecheckError("too-large")
  return text
}

/** The data, if it has the shape of the example; otherwise an error. */
export function requireShape<T>(data: unknown, example: T): T {
  if (!hasShape(data, example)) throw new SensecheckError("broken")
  return data
}

export function parseAnswer(data: unknown): AnswerReply {
  checkLength(requireShape(data, ANSWER_SHAPE).answer)
  const reply = data as AnswerReply
  const claims = reply.claims ?? []
  requireShape(claims, [SPAN])
  for (const { evidence } of claims) requireShape(evidence ?? [], [SPAN])
  return reply
}

export function parseRelated(data: unknown): RelatedSection[] {
  return requireShape(data, { sections: [{ ...SPAN, id: "" }] }).sections
}

export function parseSelectedText(data: unknown): SelectedTextReply {
  checkLength(requireShape(data, { response: "", in_selected_text: true }).response)
  return data as SelectedTextReply
}
