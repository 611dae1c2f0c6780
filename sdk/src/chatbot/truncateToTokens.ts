/** The maximum number of tokens of a selection. */
export const MAX_TOKENS = 2000
/** An estimate. */
const TOKENS_PER_WORD = 1.3

/**
 * The beginning of the text with as many words as fit; white space is preserved.
 * Leading white space counts as if an empty word preceded it, as in `split`.
 */
export function truncateToTokens(text: string, maxTokens: number = MAX_TOKENS): string {
  let wordsLeft = Math.floor(maxTokens / TOKENS_PER_WORD)
  if (!(wordsLeft > 0)) return ""
  for (const gap of text.matchAll(/\s+/g)) {
    wordsLeft -= 1
    if (wordsLeft === 0) return text.slice(0, gap.index)
  }
  return text
}
