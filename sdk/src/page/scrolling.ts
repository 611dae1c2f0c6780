/**
 * Scrolls all that can scroll around a range until it is in the middle, and opens what is folded around it.
 * The focus stays where it is.
 */
export function bringIntoView(range: Range): void {
  const { startContainer } = range
  const block = (startContainer.nodeType === 1 ? startContainer : startContainer.parentElement) as HTMLElement
  for (const fold of document.querySelectorAll("details")) if (fold.contains(block)) fold.open = true

  const { top, right, bottom, left } = block.getBoundingClientRect()
  const before = range.getBoundingClientRect()
  // Code often stands right in the box that scrolls. Boxes that do not scroll do not change by this.
  block.scrollTop += before.top - (top + bottom) / 2
  if (before.left < left || before.right > right) block.scrollLeft += before.left - (left + right) / 2

  // Only elements can be scrolled to; for this one moment, the element is as large as the range in it.
  const inner = range.getBoundingClientRect()
  const { style } = block
  const { scrollMargin } = style
  style.scrollMargin = `${top - inner.top}px ${inner.right - right}px ${inner.bottom - bottom}px ${left - inner.left}px`
  // A browser that does not say when it has arrived goes there at once.
  const isAtOnce = !("onscrollend" in window) || matchMedia("(prefers-reduced-motion: reduce)").matches
  block.scrollIntoView({ block: "center", inline: "nearest", behavior: isAtOnce ? "instant" : "smooth" })
  style.scrollMargin = scrollMargin
  if (!block.getAttribute("style")) block.removeAttribute("style")
}
