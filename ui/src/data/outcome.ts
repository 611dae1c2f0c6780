/** How a test can come out; the order is the one in which outcomes are told everywhere. */
export const OUTCOMES = ["pass", "fail", "unsure", "error", "measured"] as const

export type Outcome = (typeof OUTCOMES)[number]

export function isOutcome(word: string): word is Outcome {
  return (OUTCOMES as readonly string[]).includes(word)
}
