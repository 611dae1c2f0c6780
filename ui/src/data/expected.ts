import { expectedMarks, type ExplainedVerdict, type ToneMark } from "./evidence"
import type { Score } from "./run"

/** The assertions that compare the complete answer with a text. */
const COMPARING = new Set([
  "means",
  "similar",
  "similar:cosine",
  "keeps-facts",
  "equals",
  "levenshtein",
  "rouge-n",
  "bleu",
  "drift_threshold",
])

/** A text that the answer was compared with. */
export interface Expected {
  text: string
  /** Types of the assertions that expect it. */
  by: string[]
  marks: ToneMark[]
}

/** The expected texts, each once; an assertion without a text of its own uses the variable `expected`. */
export function expectedTexts(
  parts: readonly ExplainedVerdict[],
  scores: readonly Score[],
  variable: unknown,
): Expected[] {
  const byText = new Map<string, Expected>()
  for (const [explained, score] of flattenAssertions(parts, scores)) {
    const text = score.wanted ?? variable
    if (!COMPARING.has(score.type) || typeof text !== "string" || !text) continue
    const entry = byText.get(text) ?? { text, by: [], marks: [] }
    if (!entry.by.includes(score.type)) entry.by.push(score.type)
    entry.marks.push(...expectedMarks(explained, text.length))
    byText.set(text, entry)
  }
  return [...byText.values()]
}

/** Each assertion with its verdict, including nested ones. */
function flattenAssertions(
  parts: readonly ExplainedVerdict[],
  scores: readonly Score[],
): [ExplainedVerdict, Score][] {
  return scores.flatMap((score, at) => {
    const part = parts[at]!
    return [[part, score] as [ExplainedVerdict, Score], ...flattenAssertions(part.parts, score.within ?? [])]
  })
}
