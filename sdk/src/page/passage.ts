import { findAgain } from "./anchoring.ts"
import { placeOf, rangeOf } from "./textMap.ts"
import { readableRange, readText } from "./textWalk.ts"

/** What a reader sees of a range, and the way back from places in this text to the page. */
export interface Passage {
  readonly text: string
  /** From the first to the last character of the text. */
  readonly range: Range
  /** Where these characters stand in the page now; null when they are not there any more. */
  rangeOf(start: number, end: number): Range | null
}

/** Null when there is nothing to read in the range. */
export function passageOf(given: Range): Passage | null {
  const range = readableRange(given)
  if (!range) return null
  const page = readText(document.body)
  const begin = placeOf(page, range.startContainer, range.startOffset)
  const last = placeOf(page, range.endContainer, range.endOffset - 1)
  const text = page.text.slice(begin, last + 1)
  return {
    text,
    range,
    rangeOf(start, end) {
      if (start < 0 || end > text.length || start >= end) return null
      const known = rangeOf(page, begin + start, begin + end)
      const said = known && readText(document.body, { range: known }).text.trim()
      if (said === text.slice(start, end).trim()) return known
      const now = readText(document.body)
      const found = findAgain(page.text, begin + start, begin + end, now.text)
      return found < 0 ? null : rangeOf(now, found, found + end - start)
    },
  }
}
