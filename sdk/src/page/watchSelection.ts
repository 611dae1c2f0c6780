import { readableRange } from "./readText.ts"

export interface WatchOptions {
  document: Document
  /** A selector; both ends of a selection must be inside of a matching element. */
  scope?: string
  /** Milliseconds that a selection must be unchanged before it is reported. */
  settle?: number
}

/**
 * Reports the reader's selection once it is unchanged and no button or finger is down, and null when it is
 * cleared. While the focus is in the widget nothing is reported. Returns a function that stops it.
 */
export function watchSelection(options: WatchOptions, onChange: (range: Range | null) => void): () => void {
  const { document, scope = "body", settle = 200 } = options
  const listeners = new AbortController()
  let last: Range | null = null
  let isPressed = false

  const report = () => {
    if (document.activeElement?.matches("[data-sensecheck-off]")) return
    const range = selected(document, scope)
    if (isSame(range, last)) return
    last = range
    onChange(range)
  }
  let timer = setTimeout(report, settle)
  const onEvent = (event: Event) => {
    if (event instanceof PointerEvent) isPressed = event.type === "pointerdown" && isMainButton(event)
    clearTimeout(timer)
    if (!isPressed) timer = setTimeout(report, settle)
  }
  for (const name of ["selectionchange", "pointerdown", "pointerup", "pointercancel"])
    document.addEventListener(name, onEvent, { capture: true, signal: listeners.signal })
  return () => {
    listeners.abort()
    clearTimeout(timer)
  }
}

/** A press that opens a context menu has no `pointerup` event. */
const isMainButton = (event: PointerEvent) => event.button === 0 && !event.ctrlKey

/** Firefox selects each table cell with its own range: they are joined from the first to the last. */
function selected(document: Document, scope: string): Range | null {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return null
  const range = selection.getRangeAt(0).cloneRange()
  const { endContainer, endOffset } = selection.getRangeAt(selection.rangeCount - 1)
  range.setEnd(endContainer, endOffset)
  const readable = readableRange(range)
  const isInScope = ({ parentElement }: Node) => parentElement?.closest(scope)
  return readable && isInScope(readable.startContainer) && isInScope(readable.endContainer) ? readable : null
}

function isSame(one: Range | null, other: Range | null): boolean {
  if (!one || !other) return one === other
  // Range.START_TO_START and END_TO_END
  return [0, 2].every((ends) => !one.compareBoundaryPoints(ends, other))
}
