import { readableRange } from "./textWalk.ts"

export interface WatchOptions {
  document: Document
  /** A selector; both ends of a selection must lie inside what it selects. */
  scope?: string
  /** For how many milliseconds a selection must rest before it is told. */
  settle?: number
}

/**
 * Tells what the reader has selected once it has come to rest and no button or finger is down, and null when
 * it is gone. While the focus is in our own host node nothing is told. The function given back ends it.
 */
export function watchSelection(options: WatchOptions, told: (range: Range | null) => void): () => void {
  const { document, scope = "body", settle = 200 } = options
  const listening = new AbortController()
  let last: Range | null = null
  let isHeld = false

  const look = () => {
    if (document.activeElement?.matches("[data-sensecheck-off]")) return
    const range = selected(document, scope)
    if (isSame(range, last)) return
    last = range
    told(range)
  }
  let timer = setTimeout(look, settle)
  const hear = (event: Event) => {
    if (event instanceof PointerEvent) isHeld = event.type === "pointerdown" && isMainButton(event)
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(look, settle)
  }
  for (const name of ["selectionchange", "pointerdown", "pointerup", "pointercancel"])
    document.addEventListener(name, hear, { capture: true, signal: listening.signal })
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}

/** A press that opens a menu has no end that a page hears of. */
const isMainButton = (event: PointerEvent) => event.button === 0 && !event.ctrlKey

/** Firefox selects the cells of a table each with a range of its own: read from the first to the last. */
function selected(document: Document, scope: string): Range | null {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return null
  const range = selection.getRangeAt(0).cloneRange()
  const { endContainer, endOffset } = selection.getRangeAt(selection.rangeCount - 1)
  range.setEnd(endContainer, endOffset)
  const readable = readableRange(range)
  const isRead = ({ parentElement }: Node) => parentElement?.closest(scope)
  return readable && isRead(readable.startContainer) && isRead(readable.endContainer) ? readable : null
}

function isSame(one: Range | null, other: Range | null): boolean {
  if (!one || !other) return one === other
  // Range.START_TO_START and END_TO_END
  return [0, 2].every((ends) => !one.compareBoundaryPoints(ends, other))
}
