/** Selects this in the page, and nothing else. */
export function select(range: Range) {
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}
