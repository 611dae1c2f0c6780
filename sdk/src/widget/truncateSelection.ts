import { truncateToTokens } from "../chatbot/truncateToTokens.ts"

const MAX_CHARS = 10_000

/** The part of a selection that is sent: at most 2,000 tokens and 10,000 characters. */
export function truncateSelection(text: string): string {
  return truncate(truncateToTokens(text), MAX_CHARS)
}

/** The first N characters of a text, without splitting a surrogate pair. */
export function truncate(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")
}
