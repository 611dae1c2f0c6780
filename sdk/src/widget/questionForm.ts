import { createElement } from "./dom.ts"
import { isImeKey } from "./ime.ts"
import type { DialogState } from "./state.ts"
import type { Strings } from "./strings.ts"

const MAX_CHARS = 1000

export interface QuestionForm {
  readonly node: HTMLFormElement
  draw(dialog: DialogState): void
  focus(): void
}

/** A field that grows with its text, if the browser supports it; Enter sends it, Shift+Enter starts a new line. */
export function createQuestionForm(strings: Strings, ask: (question: string) => void): QuestionForm {
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
  const send = createElement("button", { className: "send", ariaLabel: strings.send }, "↑")
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
