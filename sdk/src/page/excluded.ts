/** Elements whose text is not read. The widget's own host node has `data-sensecheck-off` too. */
const EXCLUDED = "audio,video,canvas,object,svg,button,textarea,select,rt,rp,[hidden],[data-sensecheck-off]"

/** A permalink next to a heading contains no word: `¶`, `#`, or an icon. */
const PERMALINK = 'a[href*="#"]'
const WORD = /[\p{L}\p{N}]/u

/** Whether an element is excluded with its content, by its kind; editable fields contain text of the reader. */
export function isExcluded(element: Element & { isContentEditable?: boolean }): boolean {
  return (
    element.isContentEditable ||
    element.matches(EXCLUDED) ||
    (element.matches(PERMALINK) && !WORD.test(element.textContent ?? ""))
  )
}

/** Whether an element is invisible by its style; text for screen readers only is clipped. */
export function isHidden(style: CSSStyleDeclaration): boolean {
  return style.display === "none" || /^rect|inset\((50|100)%/.test(style.clip + style.clipPath)
}
