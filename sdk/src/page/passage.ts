import { findAgain } from "./findAgain.ts"
import { readableRange, readText } from "./readText.ts"
import { offsetOf, rangeOf } from "./textMap.ts"

/** The visible text of a range, and the mapping from offsets in this text to the page. */
export interface Passage {
  readonly text: string
  /** From the first to the last character of the text. */
  readonly range: Range
  /** The range of these characters in the page now; null if they are gone. */
  rangeOf(start: number, end: number): Range | null
}

/** Null if the range has no readable text. */
export function passageOf(selected: Range): Passage | null {
  const range = readableRange(selected)
  if (!range) return null
  const page = readText(document.body)
  const begin = offsetOf(page, range.startContainer, range.startOffset)
  const last = offsetOf(page, range.endContainer, range.endOffset - 1)
  const text = page.text.slice(begin, last + 1)
  return {
    text,
    range,
    rangeOf(start, end) {
      if (start < 0 || end > text.length || start >= end) return null
      const oldRange = rangeOf(page, begin + start, begin + end)
      const oldText = oldRange && readText(document.body, { range: oldRange }).text.trim()
      if (oldText === text.slice(start, end).trim()) return oldRange
      const now = readText(document.body)
      const position = findAgain(page.text, begin + start, begin + end, now.text)
      return position < 0 ? null : rangeOf(now, position, position + end - start)
    },
  }
}
