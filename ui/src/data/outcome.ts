/** The outcomes of a test, in display order. */
export const OUTCOMES = ["pass", "fail", "unsure", "error", "measured"] as const

export type Outcome = (typeof OUTCOMES)[number]

export function isOutcome(word: string): word is Outcome {
  return (OUTCOMES as readonly string[]).includes(word)
}
