import type { AnswerReply } from "../api/shapes.ts"
import { button, createElement, paragraph } from "../widget/dom.ts"
import type { AnsweredState, Related } from "../widget/state.ts"
import type { Strings } from "../widget/strings.ts"
import type { Citation } from "./citations.ts"
import { feedbackButtons, type Thumb } from "./feedbackButtons.ts"
import { renderMarkdown, renderPlain } from "./markdown.ts"
import type { SectionMatch } from "./relatedSections.ts"
import { ANSWER_ENGLISH } from "./strings.ts"

/** What a reader can do with an answer. */
export interface AnswerActions {
  /** Returns whether the evidence could be shown. */
  showEvidence(citation: Citation): boolean
  askThere(match: SectionMatch, question: string): void
  /** Returns whether the vote was sent; false instead of a function if feedback is disabled. */
  vote: ((id: string, thumb: Thumb) => Promise<boolean>) | false
}

/** The answer with its evidence, or why there is none, related sections, and the buttons for a vote. */
export function answerView(
  strings: Strings,
  { reply, related, question }: AnsweredState,
  citations: readonly Citation[],
  { showEvidence, askThere, vote }: AnswerActions,
): HTMLElement[] {
  const nodes = [
    paragraph("heading", reply.in_selected_text ? strings.found : ""),
    answerText(strings, reply, citations, showEvidence),
    paragraph("note", reply.decision === "cut" ? strings.cut : ""),
    paragraph("", missingText(reply.missing, strings)),
    paragraph("note", reply.injections.length ? strings.injection : ""),
    ...relatedView(strings, related, (match) => askThere(match, question)),
  ]
  // No buttons while related sections are searched, since their results would take the focus from them.
  if (vote && reply.stored && related !== "looking")
    nodes.push(feedbackButtons(strings, (thumb) => vote(reply.id, thumb)))
  return nodes
}

/** Sentences of the passage are shown as they are; what a model wrote may be Markdown. */
function answerText(
  strings: Strings,
  reply: AnswerReply,
  citations: readonly Citation[],
  showEvidence: (citation: Citation) => boolean,
): HTMLElement {
  const render = reply.writer === "extractive" ? renderPlain : renderMarkdown
  const ends = citations.map(({ end }) => end)
  const mark = (index: number) => evidenceLink(strings, citations[index] as Citation, index + 1, showEvidence)
  return createElement("div", { className: "answer" }, ...render(answerOf(reply, strings), ends, mark))
}

/** The number of a citation: a link to the text of the evidence, which a reader can also copy. */
function evidenceLink(
  strings: Strings,
  citation: Citation,
  number: number,
  show: (citation: Citation) => boolean,
): Node {
  const quote = encodeURIComponent(citation.quote.replace(/\p{Surrogate}/gu, "")).replaceAll("-", "%2D")
  const name = `${strings.evidence}: ${number}`
  const node = createElement(
    "a",
    {
      className: "mark",
      href: `${location.href.replace(/#.*/s, "")}#:~:text=${quote}`,
      ariaLabel: name,
      title: name,
      onclick(event) {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        node.ariaDisabled = `${!show(citation)}`
      },
    },
    `${number}`,
  )
  // A joiner keeps the number on the line of the word before it.
  const joined = document.createDocumentFragment()
  joined.append("\u2060", node)
  return joined
}

/** Related sections of the page, each a button that asks the question there. */
function relatedView(
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
  return [paragraph("heading", strings.related), createElement("ul", { className: "related" }, ...items)]
}

/** What is announced when the result is complete. */
export function answeredText({ reply, related }: AnsweredState, strings: Strings): string {
  if (related === "looking") return strings.looking
  const answer = answerOf(reply, strings)
  const spoken = renderMarkdown(answer, [], () => document.createTextNode(""))
  const sentences = reply.in_selected_text
    ? [
        `${strings.found}: ${spoken.map((block) => block.textContent).join(" ")}`,
        reply.decision === "cut" && strings.cut,
      ]
    : [answer, missingText(reply.missing, strings), relatedText(related, strings)]
  return sentences.filter((sentence) => sentence).join(" ")
}

/** The service's own sentence for no answer, in the language of the widget. */
function answerOf({ answer }: AnswerReply, strings: Strings): string {
  return answer === ANSWER_ENGLISH.none ? strings.none : answer
}

/** The words of the question that are not in the selection; empty without any. */
function missingText(words: readonly string[], strings: Strings): string {
  return words.length ? `${strings.missing} ${words.join(", ")}` : ""
}

/** The state of the search for related sections, or the number of its results. */
function relatedText(related: Related, strings: Strings): string {
  if (related === "off") return ""
  if (related === "looking") return strings.relatedLooking
  if (related === "failed") return strings.relatedFailed
  return related.length ? `${strings.related}: ${related.length}` : strings.relatedNone
}
