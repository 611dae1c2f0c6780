import type { Citation } from "../answers/citations.ts"
import type { Answers } from "../answers/index.ts"
import type { SectionMatch } from "../answers/relatedSections.ts"
import type { Client } from "../client/createClient.ts"
import { createHighlighter } from "../page/highlighter.ts"
import { passageOf } from "../page/passage.ts"
import { selectRange, startTabbingAt } from "../page/selectRange.ts"
import { watchSelection } from "../page/watchSelection.ts"
import { createAskButton } from "./askButton.ts"
import { askQuestion } from "./askQuestion.ts"
import { createElement } from "./dom.ts"
import { addStyles, createHost } from "./host.ts"
import { loadAnswers } from "./load.ts"
import type { Handle, MountOptions } from "./options.ts"
import { createPanel } from "./panel.ts"
import { isTouch } from "./pointer.ts"
import { createPositioner } from "./positioner.ts"
import { isShortcut } from "./shortcut.ts"
import { IDLE, next, type WidgetEvent } from "./state.ts"
import { statusText } from "./statusText.ts"
import type { CustomStrings, DialogStrings } from "./strings.ts"
import { suggestionsFor } from "./suggestions.ts"
import { truncateSelection } from "./truncateSelection.ts"

/** The button and the dialog, with their texts in one language. */
export function createWidget(
  options: MountOptions,
  client: Client,
  strings: DialogStrings & CustomStrings,
  lang: string,
): Handle {
  const {
    scope = "body",
    related = true,
    feedback = true,
    history = true,
    shortcut = "Alt+Shift+A",
  } = options
  const lifetime = new AbortController()
  const shadow = createHost(options, lang, lifetime.signal)
  const highlighter = createHighlighter(document)
  let running = new AbortController()
  let state = IDLE
  let answers: Answers | undefined
  let citations: readonly Citation[] = []
  let focusBefore: HTMLElement | null = null
  /** The reader's selection; most browsers clear it when the dialog gets the focus. */
  let readerSelection: Range | null = null
  /** The range that the page is scrolling to. */
  let scrollTarget: Range | null = null

  const askButton = createAskButton(strings.ask, shortcut, () => open())
  const panel = createPanel(strings, history, {
    ask: send,
    close,
    showEvidence,
    askThere,
    vote:
      feedback &&
      ((id, thumb) =>
        client.feedback(id, thumb, lifetime).then(
          () => true,
          () => false,
        )),
  })
  // Polite and atomic by its role, and never hidden: not all screen readers announce a region that appears.
  const status = createElement("div", { className: "sr-only", role: "status" })
  shadow.append(askButton, panel.node, status)
  const positioner = createPositioner(askButton, panel.node)

  function dispatch(event: WidgetEvent) {
    state = next(state, event)
    const { dialog, selection } = state
    if (event.kind === "ended" && dialog.name === "answered") {
      citations = answers?.citationsOf(dialog.reply, dialog.topic.passage) ?? []
      highlighter.show(citations.flatMap((citation) => citation.find()))
    }
    panel.draw(dialog, citations, answers)
    positioner.button(selection)
    const text = statusText(dialog, strings, answers)
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
      const suggestions = suggestionsFor(passage.range, options.suggestions)
      restart({ kind: "opened", topic: { passage, sentText: truncateSelection(passage.text), suggestions } })
      positioner.panel(passage.range, true)
    }
    panel.focus()
  }

  function close() {
    if (state.dialog.name === "idle") return
    const { range } = state.dialog.topic.passage
    const hadFocus = shadow.activeElement as HTMLElement | null
    restart({ kind: "closed" })
    if (!hadFocus) return
    hadFocus.blur() // otherwise the hidden dialog would receive keys until the next rendering
    if (readerSelection && !readerSelection.collapsed) {
      selectRange(readerSelection)
      dispatch({ kind: "selected", range: readerSelection })
    }
    // Last, since it may have been on the button, which is visible again only now.
    if (focusBefore && focusBefore !== document.body) focusBefore.focus({ preventScroll: true })
    else startTabbingAt(readerSelection ?? range)
  }

  /** Never fails: without it, an answer is shown as plain text. */
  async function prepareAnswers() {
    if (answers) return
    const prepare = await loadAnswers().catch(() => undefined)
    if (!prepare || answers) return
    answers = prepare(strings)
    addStyles(shadow, answers.styles)
  }

  function send(question: string) {
    if (state.dialog.name === "idle") return
    const { sentText, passage } = state.dialog.topic
    const { parentElement } = passage.range.startContainer
    const root = parentElement?.closest(scope) ?? document.querySelector(scope)
    const search =
      related &&
      root &&
      (async (signal: AbortSignal) => (await answers?.findRelated(client, root, question, signal)) ?? [])
    restart({ kind: "asked", question })
    // With the focus in the field, the keyboard of a phone would cover the answer.
    ;(isTouch() ? panel.node : panel).focus({ preventScroll: true })
    void askQuestion(client, question, sentText, prepareAnswers(), search, running.signal, dispatch)
  }

  function showEvidence(citation: Citation): boolean {
    const [range] = citation.find()
    if (range) reveal(range)
    return !!range
  }

  /** Scrolls to a range, and moves the dialog if it covers it. */
  function reveal(range: Range) {
    scrollTarget = range
    highlighter.point(range)
    answers?.scrollToRange(range)
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
