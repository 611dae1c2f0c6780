import { findAgain } from "./findAgain.ts"
import { readableRange, readText } from "./readText.ts"
import { offsetOf, type PageText, rangeOf } from "./textMap.ts"

/** The visible text of a range, and where it was in the text of the page. */
export interface Passage {
  readonly text: string
  /** From the first to the last character of the text. */
  readonly range: Range
  readonly page: PageText
  /** The position of its first character in the text of the page. */
  readonly begin: number
}

/** Null if the range has no readable text. */
export function passageOf(selected: Range): Passage | null {
  const range = readableRange(selected)
  if (!range) return null
  const page = readText(document.body)
  const begin = offsetOf(page, range.startContainer, range.startOffset)
  const last = offsetOf(page, range.endContainer, range.endOffset - 1)
  return { text: page.text.slice(begin, last + 1), range, page, begin }
}

/** The range of these characters of a passage in the page now; null if they are gone. */
export function rangeInPage({ text, page, begin }: Passage, start: number, end: number): Range | null {
  if (start < 0 || end > text.length || start >= end) return null
  const oldRange = rangeOf(page, begin + start, begin + end)
  const oldText = oldRange && readText(document.body, { range: oldRange }).text.trim()
  if (oldText === text.slice(start, end).trim()) return oldRange
  const now = readText(document.body)
  const position = findAgain(page.text, begin + start, begin + end, now.text)
  return position < 0 ? null : rangeOf(now, position, position + end - start)
}
