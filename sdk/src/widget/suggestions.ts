const MAX_SUGGESTIONS = 4

/** The questions that the site suggests for a selection: those of the nearest element around it, else those of the page. */
export function suggestionsFor(range: Range, ofPage: string | readonly string[] = ""): string[] {
  const { startContainer } = range
  const around = startContainer.parentElement?.closest("[data-sensecheck-suggestions]")
  const questions = around?.getAttribute("data-sensecheck-suggestions") ?? ofPage
  return (typeof questions === "string" ? questions.split("|") : questions)
    .map((question) => question.trim())
    .filter((question) => question)
    .slice(0, MAX_SUGGESTIONS)
}
