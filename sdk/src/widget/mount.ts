import { createClient } from "../client/createClient.ts"
import { createHighlighter } from "../page/highlighter.ts"
import { passageOf } from "../page/passage.ts"
import { selectRange } from "../page/selectRange.ts"
import { watchSelection } from "../page/watchSelection.ts"
import { createAskButton } from "./askButton.ts"
import { askQuestion } from "./askQuestion.ts"
import { type Citation, citationsOf } from "./citations.ts"
import { createElement } from "./dom.ts"
import { createHost } from "./host.ts"
import type { Handle, MountOptions } from "./options.ts"
import { createPanel } from "./panel.ts"
import { isTouch } from "./pointer.ts"
import { createPositioner } from "./positioner.ts"
import { findRelated, type SectionMatch } from "./relatedSections.ts"
import { isShortcut } from "./shortcut.ts"
import { IDLE, next, type WidgetEvent } from "./state.ts"
import { statusText } from "./statusText.ts"
import { withDefaults } from "./strings.ts"
import { truncateSelection } from "./truncateSelection.ts"

/** Lets readers of a page select a passage and ask about it. */
export function mount(options: MountOptions): Handle {
  const { scope = "body", related = true, feedback = true, shortcut = "Alt+Shift+A" } = options
  const strings = withDefaults(options.strings)
  document.querySelector(scope) // throws when it is no selector
  const client = createClient(options)
  const shadow = createHost(options)
  const highlighter = createHighlighter(document)
  const lifetime = new AbortController()
  let running = new AbortController()
  let state = IDLE
  let citations: readonly Citation[] = []
  let focusBefore: HTMLOrSVGElement | null = null
  /** The reader's selection; most browsers clear it when the dialog gets the focus. */
  let readerSelection: Range | null = null
  /** The range that the page is scrolling to. */
  let scrollTarget: Range | null = null

  const askButton = createAskButton(strings.ask, shortcut, () => open())
  const panel = createPanel(strings, {
    ask: send,
    close,
    showEvidence,
    askThere,
    vote: feedback && ((id, thumb) => client.feedback(id, thumb, lifetime)),
  })
  // Polite and atomic by its role, and never hidden: not all screen readers announce a region that appears.
  const status = createElement("div", { className: "sr-only", role: "status" })
  shadow.append(askButton, panel.node, status)
  const positioner = createPositioner(askButton, panel.node)

  function dispatch(event: WidgetEvent) {
    state = next(state, event)
    const { dialog, selection } = state
    if (event.kind === "ended" && dialog.name === "answered") {
      citations = citationsOf(dialog.reply, dialog.topic.passage)
      highlighter.show(citations.flatMap((citation) => citation.find()))
    }
    panel.draw(dialog, citations)
    positioner.button(selection)
    const text = statusText(dialog, strings)
    if (status.textContent !== text) status.textContent = text
  }

  /** Cancels a running question, and highlights the complete selection in place of its evidence. */
  function restart(event: WidgetEvent) {
    running.abort()
    running = new AbortController()
    scrollTarget = null
    dispatch(event)
    highlighter.show(state.dialog.name === "idle" ? [] : [state.dialog.topic.passage.range])
  }

  function open(range: Range | null = state.selection) {
    if (lifetime.signal.aborted) return
    const passage = range && passageOf(range)
    if (passage) {
      if (state.dialog.name === "idle")
        focusBefore = (shadow.activeElement ?? document.activeElement) as HTMLElement | null
      restart({ kind: "opened", topic: { passage, sentText: truncateSelection(passage.text) } })
      positioner.panel(passage.range, true)
    }
    panel.focus()
  }

  function close() {
    if (state.dialog.name === "idle") return
    const hadFocus = shadow.activeElement as HTMLElement | null
    restart({ kind: "closed" })
    if (!hadFocus) return
    hadFocus.blur() // otherwise the hidden dialog would receive keys until the next rendering
    if (readerSelection && !readerSelection.collapsed) {
      selectRange(readerSelection)
      dispatch({ kind: "selected", range: readerSelection })
    }
    // Last, since it may have been on the button, which is visible again only now.
    focusBefore?.focus({ preventScroll: true })
  }

  function send(question: string) {
    if (state.dialog.name === "idle") return
    const { sentText, passage } = state.dialog.topic
    const { parentElement } = passage.range.startContainer
    const root = parentElement?.closest(scope) ?? document.querySelector(scope)
    const search = related && root && ((signal: AbortSignal) => findRelated(client, root, question, signal))
    restart({ kind: "asked", question })
    // With the focus in the field, the keyboard of a phone would cover the answer.
    ;(isTouch() ? panel.node : panel).focus({ preventScroll: true })
    void askQuestion(client, question, sentText, search, running.signal, dispatch)
  }

  function showEvidence(citation: Citation): boolean {
    const [range] = citation.find()
    if (range) reveal(range)
    return !!range
  }

  /** Scrolls to a range, and moves the dialog if it covers it. */
  function reveal(range: Range) {
    scrollTarget = range
    highlighter.goTo(range)
    positioner.uncover(range)
  }

  /** Asks the question about another section. */
  function askThere({ section, sentence }: SectionMatch, question: string) {
    open(section.rangeOf(0, section.text.length))
    send(question)
    const target = section.rangeOf(sentence.start, sentence.end)
    if (target) reveal(target)
  }

  function addListener(target: EventTarget, type: string, handler: (event: Event) => void) {
    target.addEventListener(type, handler, { capture: true, signal: lifetime.signal })
  }
  addListener(document, "keydown", (pressed) => {
    const isOurs = pressed instanceof KeyboardEvent && isShortcut(shortcut, pressed)
    if (!isOurs || (!state.selection && state.dialog.name === "idle")) return
    pressed.preventDefault()
    open()
  })
  addListener(document, "scroll", () => positioner.button(state.selection))
  addListener(document, "scrollend", ({ target }) => {
    if (scrollTarget) positioner.uncover(scrollTarget)
    // Inner boxes finish before the page does; after that, the reader's own scrolling must not move the dialog.
    if (target === document) scrollTarget = null
  })
  addListener(window.visualViewport ?? window, "resize", () => {
    positioner.button(state.selection)
    if (state.dialog.name !== "idle") positioner.panel(state.dialog.topic.passage.range, false)
  })
  const stopWatching = watchSelection({ document, scope }, (range) => {
    readerSelection = range
    dispatch({ kind: "selected", range })
  })

  return {
    open,
    close,
    destroy() {
      readerSelection = null
      close()
      lifetime.abort()
      stopWatching()
      highlighter.destroy()
      shadow.host.remove()
    },
  }
}
