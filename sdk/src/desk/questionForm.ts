import { isComposed } from "./composing.ts"
import { make } from "./nodes.ts"
import type { Talk } from "./state.ts"
import type { Strings } from "./strings.ts"

const LONGEST = 1000

export interface QuestionForm {
  readonly node: HTMLFormElement
  draw(talk: Talk): void
  focus(): void
}

/** A field that grows with what is written, where the browser can; Enter sends it, and Shift+Enter begins a new line. */
export function createQuestionForm(strings: Strings, ask: (question: string) => void): QuestionForm {
  let isAsking = false
  const field = make("textarea", {
    rows: 1,
    maxLength: LONGEST,
    ariaLabel: strings.question,
    placeholder: strings.question,
    onkeydown(pressed) {
      if (pressed.key !== "Enter" || pressed.shiftKey || isComposed(pressed)) return
      pressed.preventDefault()
      // Held down, it asks once, and does not go on in a field that has only just got the focus.
      if (!pressed.repeat) node.requestSubmit()
    },
  })
  const send = make("button", { className: "send", ariaLabel: strings.send }, "↑")
  const node = make(
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
    draw(talk) {
      isAsking = talk.name === "asking"
      send.ariaDisabled = `${isAsking}`
      if (talk.name === "asking" && field.value.trim() === talk.question) field.value = ""
      if (talk.name === "failed") field.value ||= talk.question
    },
    focus: () => field.focus({ preventScroll: true }),
  }
}
