import { createClient } from "../client/createClient.ts"
import { createHighlighter } from "../page/highlighting.ts"
import { passageOf } from "../page/passage.ts"
import { select } from "../page/selecting.ts"
import { watchSelection } from "../page/watching.ts"
import { createArranger } from "./arranging.ts"
import { ask } from "./asking.ts"
import { beginningOf } from "./beginning.ts"
import { lookElsewhere, type Place } from "./elsewhere.ts"
import { type Proof, proofsOf } from "./evidence.ts"
import { createHost } from "./host.ts"
import { make } from "./nodes.ts"
import { createOffer } from "./offer.ts"
import type { Handle, MountOptions } from "./options.ts"
import { createPanel } from "./panel.ts"
import { isFinger } from "./pointer.ts"
import { isShortcut } from "./shortcut.ts"
import { type Happening, IDLE, next } from "./state.ts"
import { announced } from "./status.ts"
import { wordsWith } from "./strings.ts"

/** Lets readers of a page select a passage and ask about it. */
export function mount(options: MountOptions): Handle {
  const { scope = "body", related = true, feedback = true, shortcut = "Alt+Shift+A" } = options
  const strings = wordsWith(options.strings)
  document.querySelector(scope) // throws when it is no selector
  const client = createClient(options)
  const shadow = createHost(options)
  const highlighter = createHighlighter(document)
  const life = new AbortController()
  let underWay = new AbortController()
  let state = IDLE
  let proofs: readonly Proof[] = []
  let focusBefore: HTMLOrSVGElement | null = null
  /** What the reader has selected; most browsers drop it for the focus in the dialog. */
  let own: Range | null = null
  /** What the page is scrolling to. */
  let shown: Range | null = null

  const offered = createOffer(strings.ask, shortcut, () => open())
  const panel = createPanel(strings, {
    ask: send,
    close,
    goTo,
    follow,
    vote: feedback && ((id, thumb) => client.feedback(id, thumb, life)),
  })
  // Polite and atomic by its role, and never hidden: what is told while it appears is not heard everywhere.
  const status = make("div", { className: "unseen", role: "status" })
  shadow.append(offered, panel.node, status)
  const arranger = createArranger(offered, panel.node)

  function tell(happening: Happening) {
    state = next(state, happening)
    const { talk, offer } = state
    if (happening.kind === "ended" && talk.name === "answered") {
      proofs = proofsOf(talk.reply, talk.topic.passage)
      highlighter.show(proofs.flatMap((proof) => proof.find()))
    }
    panel.draw(talk, proofs)
    arranger.button(offer)
    const words = announced(talk, strings)
    if (status.textContent !== words) status.textContent = words
  }

  /** What was under way is given up; instead of its evidence, all that is talked about is marked. */
  function renew(happening: Happening) {
    underWay.abort()
    underWay = new AbortController()
    shown = null
    tell(happening)
    highlighter.show(state.talk.name === "idle" ? [] : [state.talk.topic.passage.range])
  }

  function open(range: Range | null = state.offer) {
    if (life.signal.aborted) return
    const passage = range && passageOf(range)
    if (passage) {
      if (state.talk.name === "idle")
        focusBefore = (shadow.activeElement ?? document.activeElement) as HTMLElement | null
      renew({ kind: "opened", topic: { passage, read: beginningOf(passage.text) } })
      arranger.panel(passage.range, true)
    }
    panel.focus()
  }

  function close() {
    if (state.talk.name === "idle") return
    const hadFocus = shadow.activeElement as HTMLElement | null
    renew({ kind: "closed" })
    if (!hadFocus) return
    hadFocus.blur() // though hidden, it would keep the keys until the page is drawn again
    if (own && !own.collapsed) {
      select(own)
      tell({ kind: "selected", range: own })
    }
    // Last, since it may have been on the button, which is there again only now.
    focusBefore?.focus({ preventScroll: true })
  }

  function send(question: string) {
    if (state.talk.name === "idle") return
    const { read, passage } = state.talk.topic
    const { parentElement } = passage.range.startContainer
    const near = parentElement?.closest(scope) ?? document.querySelector(scope)
    const search = related && near && ((signal: AbortSignal) => lookElsewhere(client, near, question, signal))
    renew({ kind: "asked", question })
    // In the field, the focus would keep the keyboard of a phone over the answer.
    ;(isFinger() ? panel.node : panel).focus({ preventScroll: true })
    void ask(client, question, read, search, underWay.signal, tell)
  }

  function goTo(proof: Proof): boolean {
    const [range] = proof.find()
    if (range) show(range)
    return !!range
  }

  /** Goes there, and sees that the dialog does not lie over it. */
  function show(range: Range) {
    shown = range
    highlighter.goTo(range)
    arranger.uncover(range)
  }

  /** Takes the question to another section. */
  function follow({ section, found }: Place, question: string) {
    open(section.rangeOf(0, section.text.length))
    send(question)
    const sentence = section.rangeOf(found.start, found.end)
    if (sentence) show(sentence)
  }

  function listen(target: EventTarget, type: string, heard: (event: Event) => void) {
    target.addEventListener(type, heard, { capture: true, signal: life.signal })
  }
  listen(document, "keydown", (pressed) => {
    const isOurs = pressed instanceof KeyboardEvent && isShortcut(shortcut, pressed)
    if (!isOurs || (!state.offer && state.talk.name === "idle")) return
    pressed.preventDefault()
    open()
  })
  listen(document, "scroll", () => arranger.button(state.offer))
  listen(document, "scrollend", ({ target }) => {
    if (shown) arranger.uncover(shown)
    // Boxes in the page arrive before the page does; whoever scrolls it later does not want to be moved.
    if (target === document) shown = null
  })
  listen(window.visualViewport ?? window, "resize", () => {
    arranger.button(state.offer)
    if (state.talk.name !== "idle") arranger.panel(state.talk.topic.passage.range, false)
  })
  const unwatch = watchSelection({ document, scope }, (range) => {
    own = range
    tell({ kind: "selected", range })
  })

  return {
    open,
    close,
    destroy() {
      own = null
      close()
      life.abort()
      unwatch()
      highlighter.destroy()
      shadow.host.remove()
    },
  }
}
