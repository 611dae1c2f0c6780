const CONTEXT_CHARS = 32
/** Number of characters, of the quote and its context, that identify a position. */
const MIN_CHARS = 24

/**
 * The position in `now` of the text from `start` to `end` in `was`, by its content, its context and its old
 * position. -1 if it is gone or ambiguous.
 */
export function findAgain(was: string, start: number, end: number, now: string): number {
  for (const left of [CONTEXT_CHARS, CONTEXT_CHARS / 2, 0])
    for (const right of [CONTEXT_CHARS, CONTEXT_CHARS / 2, 0]) {
      const from = Math.max(0, start - left)
      const quote = was.slice(from, end + right)
      if (quote.length < MIN_CHARS && left + right < 2 * CONTEXT_CHARS) continue
      const at = uniquePosition(quote, now, from, was.length)
      if (at >= 0) return at + start - from
    }
  return -1
}

/** The only position of a quote; of several, the one at the same distance from the start or the end as before. */
function uniquePosition(quote: string, now: string, before: number, lengthBefore: number): number {
  const first = now.indexOf(quote)
  if (first === now.lastIndexOf(quote)) return first
  const candidates = [before, before + now.length - lengthBefore]
  const [position = -1, other = position] = candidates.filter((at) => now.startsWith(quote, at))
  return position === other ? position : -1
}
