/** Selects a range in the page, and nothing else. */
export function selectRange(range: Range) {
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}
