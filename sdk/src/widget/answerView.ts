import type { AnswerReply } from "../api/shapes.ts"
import type { Citation } from "./citations.ts"
import { button, createElement, paragraph } from "./dom.ts"
import type { SectionMatch } from "./relatedSections.ts"
import type { Related } from "./state.ts"
import { missingText, relatedText } from "./statusText.ts"
import type { Strings } from "./strings.ts"

/** The answer with the numbers of its citations, or why there is none. */
export function answerView(
  strings: Strings,
  reply: AnswerReply,
  citations: readonly Citation[],
  goTo: (citation: Citation) => boolean,
): HTMLElement[] {
  let from = 0
  const parts = citations.flatMap(({ end }, index) => {
    const text = reply.answer.slice(from, end)
    from = end
    return [text, createElement("sup", {}, `${index + 1}`)]
  })
  return [
    paragraph("heading", reply.in_selected_text ? strings.found : ""),
    paragraph("answer", ...parts, reply.answer.slice(from)),
    paragraph("note", reply.decision === "cut" ? strings.cut : ""),
    paragraph("", missingText(reply.missing, strings)),
    paragraph("note", reply.injections.length ? strings.injection : ""),
    ...evidenceRow(strings, citations, goTo),
  ]
}

function evidenceRow(
  strings: Strings,
  citations: readonly Citation[],
  goTo: (citation: Citation) => boolean,
): HTMLElement[] {
  const buttons = citations.map((citation, index) => {
    const show = () => {
      node.ariaDisabled = `${!goTo(citation)}`
    }
    const node = button(`${strings.evidence}: ${index + 1}`, show, `${index + 1}`)
    return node
  })
  return buttons.length
    ? [createElement("div", { className: "row" }, paragraph("heading", strings.evidence), ...buttons)]
    : []
}

/** Related sections of the page, each a button that asks the question there. */
export function relatedView(
  strings: Strings,
  related: Related,
  askThere: (match: SectionMatch) => void,
): HTMLElement[] {
  if (typeof related === "string" || !related.length)
    return [paragraph("note", relatedText(related, strings))]
  const items = related.map((match) => {
    const { section, sentence } = match
    const title = createElement("b", {}, section.title)
    return createElement(
      "li",
      {},
      button("", () => askThere(match), title, ` ${sentence.text}`),
    )
  })
  return [paragraph("heading", strings.related), createElement("ul", {}, ...items)]
}
