/** Selects a range in the page, and nothing else. */
export function selectRange(range: Range) {
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** Lets the Tab key continue from the block of a range. A block that has had the focus is where it starts from. */
export function startTabbingAt({ startContainer }: Range) {
  const block = startContainer.parentElement
  if (!block || block.hasAttribute("tabindex")) return
  block.tabIndex = -1
  block.focus({ preventScroll: true })
  block.removeAttribute("tabindex")
}
