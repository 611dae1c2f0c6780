import { truncateToTokens } from "../chatbot/truncateToTokens.ts"

const MAX_CHARS = 10_000
const QUOTE_CHARS = 80

/** The part of a selection that is sent: at most 2,000 tokens and 10,000 characters. */
export function truncateSelection(text: string): string {
  return truncate(truncateToTokens(text), MAX_CHARS)
}

/** The beginning of a text, up to the end of a word; a long word, or text without spaces, is split. */
export function quoteOf(text: string): string {
  if (text.length <= QUOTE_CHARS) return text
  const start = truncate(text, QUOTE_CHARS)
  const words = /\s/.test(text.charAt(QUOTE_CHARS)) ? start : start.replace(/\s+\S*$/, "")
  return `${(words || start).replace(/[\s,;:.\u2013\u2014-]+$/, "")}…`
}

/** The first N characters of a text, without splitting a surrogate pair. */
function truncate(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")
}
