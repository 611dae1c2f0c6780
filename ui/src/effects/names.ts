/** A text on one line, cut between letters when it is longer than there is room for. */
export function cut(text: string, most: number): string {
  const letters = [...text.trim().replace(/\s+/g, " ")]
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`
}
