/** A text on one line, truncated to a number of characters. */
export function truncate(text: string, maxChars: number): string {
  const characters = [...text.trim().replace(/\s+/g, " ")]
  return characters.length <= maxChars
    ? characters.join("")
    : `${characters.slice(0, maxChars - 1).join("")}…`
}
