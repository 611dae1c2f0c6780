import type { AnswerActions } from "../answers/answerView.ts"
import type { Citation } from "../answers/citations.ts"
import type { History } from "../answers/history.ts"
import type { Answers } from "../answers/index.ts"
import { button, createElement, icon, paragraph } from "./dom.ts"
import { isImeKey } from "./ime.ts"
import { createQuestionForm } from "./questionForm.ts"
import { type DialogState, IDLE, type Topic } from "./state.ts"
import { failureText } from "./statusText.ts"
import type { DialogStrings } from "./strings.ts"
import { quoteOf } from "./truncateSelection.ts"

/** The actions of the dialog. */
export interface Actions extends AnswerActions {
  ask(question: string): void
  close(): void
}

export interface Panel {
  readonly node: HTMLElement
  draw(dialog: DialogState, citations: readonly Citation[], answers: Answers | undefined): void
  focus(options?: FocusOptions): void
}

/** Errors that a retry does not fix. */
const PERMANENT = /refused|large/
const CROSS = "M6 6l12 12M18 6L6 18"

/** The dialog: a quote of the selection, its answers, and the field for the next question. */
export function createPanel(strings: DialogStrings, hasHistory: boolean, actions: Actions): Panel {
  const { ask, close } = actions
  const earlier = createElement("div", {})
  const quote = createElement("blockquote", { id: "quote" })
  const truncationNote = createElement("p", { className: "note", id: "note" })
  const thread = createElement("div", { className: "thread" })
  const result = createElement("div", { className: "result" })
  const form = createQuestionForm(strings, ask)
  const conversation = createElement(
    "div",
    { className: "chat", role: "group", ariaLabel: strings.ask },
    earlier,
    quote,
    truncationNote,
    thread,
    result,
  )
  const header = createElement(
    "header",
    { role: "none" },
    createElement("h2", {}, strings.ask),
    button(strings.close, close, icon(CROSS)),
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
  let topic: Topic | undefined
  let answer = paragraph("answer")
  let history: History | undefined

  function contents(now: DialogState, citations: readonly Citation[], answers?: Answers): HTMLElement[] {
    if (now.name === "idle") return []
    if (now.name === "ready") return suggestionButtons(now.topic)
    const question = paragraph("question", now.question)
    if (now.name === "answered")
      return [
        question,
        ...(answers?.view(now, citations, actions) ?? [paragraph("answer", now.reply.answer)]),
      ]
    answer = paragraph("answer", now.text)
    if (now.name === "asking") return [question, answer, paragraph("progress", strings.looking)]
    const again = button(strings.again, () => ask(now.question))
    again.hidden = PERMANENT.test(now.error.kind)
    return [question, answer, paragraph("error", failureText(now.error, strings)), again]
  }

  function suggestionButtons({ suggestions }: Topic): HTMLElement[] {
    const buttons = suggestions.map((text) => button(text, () => ask(text)))
    const row = createElement(
      "div",
      { className: "row", role: "group", ariaLabel: strings.suggestions },
      ...buttons,
    )
    return buttons.length ? [row] : []
  }

  function drawTopic(now: Topic) {
    const { text } = now.passage
    // A dialog that is opened again for the same selection continues below its answers.
    if (topic && topic.passage.text !== text) history?.archive(quoteOf(topic.passage.text))
    topic = now
    quote.textContent = quoteOf(text)
    truncationNote.textContent = now.sentText === text ? "" : strings.long
  }

  function draw(now: DialogState, citations: readonly Citation[], answers?: Answers) {
    const before = drawn
    if (now === before) return
    drawn = now
    if (hasHistory && before.name === "answered" && now.name !== "answered") {
      history ??= answers?.createHistory(thread, earlier)
      history?.add([...result.childNodes])
    }
    node.hidden = now.name === "idle"
    if (now.name === "idle") return
    // Existing text stays: the reader may have selected some of it.
    if (now.name === "asking" && before.name === "asking") answer.append(now.text.slice(before.text.length))
    else {
      if (now.topic !== topic) drawTopic(now.topic)
      result.replaceChildren(...contents(now, citations, answers))
      form.draw(now)
      const first = now.name === "ready" ? quote : result
      conversation.scrollTop = first.offsetTop - conversation.offsetTop
    }
    // A scrolling area must be reachable by keyboard, and a click must keep the focus in the dialog.
    conversation.tabIndex = conversation.scrollHeight > conversation.clientHeight ? 0 : -1
  }

  return { node, draw, focus: form.focus }
}
