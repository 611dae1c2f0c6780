import { createElement } from "../widget/dom.ts"
import type { Strings } from "../widget/strings.ts"

/** The answers of this visit, in the page alone: nothing is stored. */
export interface History {
  /** Keeps an answer below its selection. */
  add(exchange: readonly Node[]): void
  /** Moves the answers of this selection to those of earlier ones. */
  archive(quote: string): void
}

/** Answers about one selection, and earlier selections, of which the newest are kept. */
const MAX_KEPT = 20

/** `thread` is below the quote of the current selection; `earlier`, above it, is opened by the reader. */
export function createHistory(strings: Strings, thread: HTMLElement, earlier: HTMLElement): History {
  const list = createElement("div", {})
  const details = createElement("details", {}, createElement("summary", {}, strings.earlier), list)
  const push = (to: HTMLElement, node: Node) => {
    to.append(node)
    if (to.childElementCount > MAX_KEPT) to.firstElementChild?.remove()
  }
  return {
    add: (exchange) => push(thread, createElement("div", { className: "exchange" }, ...exchange)),
    archive(quote) {
      if (!thread.firstChild) return
      push(list, createElement("div", {}, createElement("blockquote", {}, quote), ...thread.childNodes))
      earlier.append(details)
    },
  }
}
