/**
 * Scrolls all containers of a range until it is in the middle, and opens `<details>` around it.
 * The focus does not change.
 */
export function scrollToRange(range: Range): void {
  const { startContainer } = range
  const block = (startContainer.nodeType === 1 ? startContainer : startContainer.parentElement) as HTMLElement
  for (const details of document.querySelectorAll("details")) if (details.contains(block)) details.open = true

  const { top, right, bottom, left } = block.getBoundingClientRect()
  const before = range.getBoundingClientRect()
  // Code is often a direct child of the scrolling box. Other boxes are not affected.
  block.scrollTop += before.top - (top + bottom) / 2
  if (before.left < left || before.right > right) block.scrollLeft += before.left - (left + right) / 2

  // Only elements can be scrolled to; a temporary margin makes the element as large as the range.
  const inner = range.getBoundingClientRect()
  const { style } = block
  const { scrollMargin } = style
  style.scrollMargin = `${top - inner.top}px ${inner.right - right}px ${inner.bottom - bottom}px ${left - inner.left}px`
  // A browser without `scrollend` scrolls instantly.
  const isInstant = !("onscrollend" in window) || matchMedia("(prefers-reduced-motion: reduce)").matches
  block.scrollIntoView({ block: "center", inline: "nearest", behavior: isInstant ? "instant" : "smooth" })
  style.scrollMargin = scrollMargin
  if (!block.getAttribute("style")) block.removeAttribute("style")
}
