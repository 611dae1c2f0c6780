import { createElement, icon } from "./dom.ts"
import { isImeKey } from "./ime.ts"
import type { DialogState } from "./state.ts"
import type { DialogStrings } from "./strings.ts"

const MAX_CHARS = 1000
const ARROW = "M12 20V5M5 12l7-7 7 7"

export interface QuestionForm {
  readonly node: HTMLFormElement
  draw(dialog: DialogState): void
  focus(): void
}

/** A field that grows with its text, if the browser supports it; Enter sends it, Shift+Enter starts a new line. */
export function createQuestionForm(strings: DialogStrings, ask: (question: string) => void): QuestionForm {
  let isAsking = false
  const field = createElement("textarea", {
    rows: 1,
    maxLength: MAX_CHARS,
    ariaLabel: strings.question,
    placeholder: strings.question,
    onkeydown(pressed) {
      if (pressed.key !== "Enter" || pressed.shiftKey || isImeKey(pressed)) return
      pressed.preventDefault()
      // A key that is held down asks once, and not again when the field has just got the focus.
      if (!pressed.repeat) node.requestSubmit()
    },
  })
  const send = createElement(
    "button",
    { className: "send", ariaLabel: strings.send, title: strings.send },
    icon(ARROW),
  )
  const node = createElement(
    "form",
    {
      onsubmit(submitted) {
        submitted.preventDefault()
        const question = field.value.trim()
        if (question && !isAsking) ask(question)
      },
    },
    field,
    send,
  )

  return {
    node,
    draw(dialog) {
      isAsking = dialog.name === "asking"
      send.ariaDisabled = `${isAsking}`
      if (dialog.name === "asking" && field.value.trim() === dialog.question) field.value = ""
      if (dialog.name === "failed") field.value ||= dialog.question
    },
    focus: () => field.focus({ preventScroll: true }),
  }
}
