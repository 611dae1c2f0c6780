import { expectedMarksOf, type Explained, type ToneMark } from "./evidence"
import type { Score } from "./run"

/** The assertions that hold the whole answer against a text. */
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

/** A text that the answer should have been like. */
export interface Expected {
  text: string
  /** The assertions that want it. */
  by: string[]
  marks: ToneMark[]
}

/** What was expected, each text once; an assertion without one of its own means the variable `expected`. */
export function expectedOf(
  parts: readonly Explained[],
  scores: readonly Score[],
  known: unknown,
): Expected[] {
  const held = new Map<string, Expected>()
  for (const [explained, score] of asserted(parts, scores)) {
    const text = score.wanted ?? known
    if (!COMPARING.has(score.type) || typeof text !== "string" || !text) continue
    const one = held.get(text) ?? { text, by: [], marks: [] }
    if (!one.by.includes(score.type)) one.by.push(score.type)
    one.marks.push(...expectedMarksOf(explained, text.length))
    held.set(text, one)
  }
  return [...held.values()]
}

/** Each assertion with its verdict, also those within others. */
function asserted(parts: readonly Explained[], scores: readonly Score[]): [Explained, Score][] {
  return scores.flatMap((score, at) => {
    const part = parts[at]!
    return [[part, score] as [Explained, Score], ...asserted(part.parts, score.within ?? [])]
  })
}
