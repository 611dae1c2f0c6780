import { truncateToTokens } from "../chatbot/truncating.ts"

const MOST_CHARACTERS = 10_000

/** As much of a selection as is sent: 2,000 tokens and 10,000 characters at most. */
export function beginningOf(text: string): string {
  return cutAt(truncateToTokens(text), MOST_CHARACTERS)
}

/** So many characters of a text at most, and never half of one. */
export function cutAt(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "")
}
