import { answerView, relatedView } from "./answerView.ts"
import type { Citation } from "./citations.ts"
import { button, createElement, paragraph } from "./dom.ts"
import { feedbackButtons, type Thumb } from "./feedbackButtons.ts"
import { isImeKey } from "./ime.ts"
import { createQuestionForm } from "./questionForm.ts"
import type { SectionMatch } from "./relatedSections.ts"
import { type DialogState, IDLE } from "./state.ts"
import { failureText } from "./statusText.ts"
import type { Strings } from "./strings.ts"
import { truncate } from "./truncateSelection.ts"

/** The actions of the dialog. */
export interface Actions {
  ask(question: string): void
  close(): void
  /** Returns whether the evidence could be shown. */
  showEvidence(citation: Citation): boolean
  askThere(match: SectionMatch, question: string): void
  /** False if feedback is disabled. */
  vote: ((id: string, thumb: Thumb) => Promise<void>) | false
}

export interface Panel {
  readonly node: HTMLElement
  draw(dialog: DialogState, citations: readonly Citation[]): void
  focus(options?: FocusOptions): void
}

const QUOTE_CHARS = 80
/** Errors that a retry does not fix. */
const PERMANENT = /refused|large/

/** The dialog: a quote of the selection, the answer, and the field for the next question. */
export function createPanel(strings: Strings, { ask, close, showEvidence, askThere, vote }: Actions): Panel {
  const quote = createElement("blockquote", { id: "quote" })
  const truncationNote = createElement("p", { className: "note", id: "note" })
  const result = createElement("div", { className: "result" })
  const form = createQuestionForm(strings, ask)
  const conversation = createElement(
    "div",
    { className: "chat", role: "group", ariaLabel: strings.ask },
    quote,
    truncationNote,
    result,
  )
  const header = createElement(
    "header",
    { role: "none" },
    createElement("h2", {}, strings.ask),
    button(strings.close, close, "×"),
  )
  const node = createElement(
    "div",
    // Focusable, since Safari does not focus a button that is clicked.
    { className: "panel", role: "dialog", ariaLabel: strings.ask, hidden: true, tabIndex: -1 },
    header,
    conversation,
    form.node,
  )
  node.setAttribute("aria-describedby", "quote note")
  // Keys typed here must not trigger shortcuts of the page, for which the event does not come from a field.
  node.onkeyup = node.onkeypress = (pressed) => pressed.stopPropagation()
  node.onkeydown = (pressed) => {
    pressed.stopPropagation()
    if (pressed.key === "Escape" && !isImeKey(pressed)) close()
  }

  let drawn: DialogState = IDLE.dialog
  let answer = paragraph("answer")

  function contents(now: DialogState, citations: readonly Citation[]): HTMLElement[] {
    if (now.name === "idle" || now.name === "ready") return []
    const question = paragraph("question", now.question)
    if (now.name !== "answered") answer = paragraph("answer", now.text)
    if (now.name === "asking") return [question, answer, paragraph("progress", strings.looking)]
    if (now.name === "failed") {
      const again = button(strings.again, () => ask(now.question))
      again.hidden = PERMANENT.test(now.error.kind)
      return [question, answer, paragraph("error", failureText(now.error, strings)), again]
    }
    const { reply, related } = now
    const nodes = [
      ...answerView(strings, reply, citations, showEvidence),
      ...relatedView(strings, related, (match) => askThere(match, now.question)),
    ]
    // No buttons while related sections are searched, since their results would take the focus from them.
    if (vote && reply.stored && related !== "looking")
      nodes.push(feedbackButtons(strings, (thumb) => vote(reply.id, thumb)))
    return [question, ...nodes]
  }

  function draw(now: DialogState, citations: readonly Citation[]) {
    const before = drawn
    if (now === before) return
    drawn = now
    node.hidden = now.name === "idle"
    if (now.name === "idle") return
    // Existing text stays: the reader may have selected some of it.
    if (now.name === "asking" && before.name === "asking") answer.append(now.text.slice(before.text.length))
    else {
      const { text } = now.topic.passage
      const quoted = truncate(text, QUOTE_CHARS)
      quote.textContent = quoted === text ? text : `${quoted}…`
      truncationNote.textContent = now.topic.sentText === text ? "" : strings.long
      result.replaceChildren(...contents(now, citations))
      form.draw(now)
    }
    if (now.name !== before.name) conversation.scrollTop = result.offsetTop - conversation.offsetTop
    // A scrolling area must be reachable by keyboard, and a click must keep the focus in the dialog.
    conversation.tabIndex = conversation.scrollHeight > conversation.clientHeight ? 0 : -1
  }

  return { node, draw, focus: form.focus }
}
