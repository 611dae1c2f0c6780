import { answerView, relatedView } from "./answerView.ts"
import { cutAt } from "./beginning.ts"
import { isComposed } from "./composing.ts"
import type { Place } from "./elsewhere.ts"
import type { Proof } from "./evidence.ts"
import { button, line, make } from "./nodes.ts"
import { createQuestionForm } from "./questionForm.ts"
import { IDLE, type Talk } from "./state.ts"
import { failureText } from "./status.ts"
import type { Strings } from "./strings.ts"
import { type Thumb, thumbs } from "./thumbs.ts"

/** What a reader can do in the dialog. */
export interface Actions {
  ask(question: string): void
  close(): void
  /** Whether the evidence could be shown. */
  goTo(proof: Proof): boolean
  follow(place: Place, question: string): void
  /** False where readers do not vote. */
  vote: ((id: string, thumb: Thumb) => Promise<void>) | false
}

export interface Panel {
  readonly node: HTMLElement
  draw(talk: Talk, proofs: readonly Proof[]): void
  focus(options?: FocusOptions): void
}

const QUOTED = 80
/** Errors that asking once more does not mend. */
const LASTING = /refused|large/

/** The dialog: what is asked about, the answer, and the field for the next question. */
export function createPanel(strings: Strings, { ask, close, goTo, follow, vote }: Actions): Panel {
  const quote = make("blockquote", { id: "quote" })
  const long = make("p", { className: "note", id: "long" })
  const result = make("div", { className: "result" })
  const form = createQuestionForm(strings, ask)
  const talk = make("div", { className: "talk", role: "group", ariaLabel: strings.ask }, quote, long, result)
  const header = make(
    "header",
    { role: "none" },
    make("h2", {}, strings.ask),
    button(strings.close, close, "×"),
  )
  const node = make(
    "div",
    // Can hold the focus, since Safari gives it to no button that is clicked.
    { className: "panel", role: "dialog", ariaLabel: strings.ask, hidden: true, tabIndex: -1 },
    header,
    talk,
    form.node,
  )
  node.setAttribute("aria-describedby", "quote long")
  // What is typed here must not reach the shortcuts of the page, which only see that it comes from no field.
  node.onkeyup = node.onkeypress = (pressed) => pressed.stopPropagation()
  node.onkeydown = (pressed) => {
    pressed.stopPropagation()
    if (pressed.key === "Escape" && !isComposed(pressed)) close()
  }

  let drawn: Talk = IDLE.talk
  let answer = line("answer")

  function contents(now: Talk, proofs: readonly Proof[]): HTMLElement[] {
    if (now.name === "idle" || now.name === "ready") return []
    const question = line("question", now.question)
    if (now.name !== "answered") answer = line("answer", now.text)
    if (now.name === "asking") return [question, answer, line("progress", strings.looking)]
    if (now.name === "failed") {
      const again = button(strings.again, () => ask(now.question))
      again.hidden = LASTING.test(now.error.kind)
      return [question, answer, line("error", failureText(now.error, strings)), again]
    }
    const { reply, related } = now
    const nodes = [
      ...answerView(strings, reply, proofs, goTo),
      ...relatedView(strings, related, (place) => follow(place, now.question)),
    ]
    // While other sections are looked for there is nothing to press, so that nobody is thrown out by them.
    if (vote && reply.stored && related !== "looking")
      nodes.push(thumbs(strings, (thumb) => vote(reply.id, thumb)))
    return [question, ...nodes]
  }

  function draw(now: Talk, proofs: readonly Proof[]) {
    const before = drawn
    if (now === before) return
    drawn = now
    node.hidden = now.name === "idle"
    if (now.name === "idle") return
    // What is there stays: a reader may have selected some of it.
    if (now.name === "asking" && before.name === "asking") answer.append(now.text.slice(before.text.length))
    else {
      const { text } = now.topic.passage
      const quoted = cutAt(text, QUOTED)
      quote.textContent = quoted === text ? text : `${quoted}…`
      long.textContent = now.topic.read === text ? "" : strings.long
      result.replaceChildren(...contents(now, proofs))
      form.draw(now)
    }
    if (now.name !== before.name) talk.scrollTop = result.offsetTop - talk.offsetTop
    // What scrolls must be reached by the keyboard, and what is clicked must keep the focus in here.
    talk.tabIndex = talk.scrollHeight > talk.clientHeight ? 0 : -1
  }

  return { node, draw, focus: form.focus }
}
