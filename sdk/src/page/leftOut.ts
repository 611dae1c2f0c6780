/** What is not read although it is shown. Our own host node carries `data-sensecheck-off` too. */
const LEFT_OUT = "audio,video,canvas,object,svg,button,textarea,select,rt,rp,[hidden],[data-sensecheck-off]"

/** The sign beside a heading that links to it holds no word: `¶`, `#`, or one that a style draws. */
const PERMALINK = 'a[href*="#"]'
const WORD = /[\p{L}\p{N}]/u

/** Whether an element is left out, with all that is in it, by what it is; what readers write is theirs. */
export function isLeftOut(element: Element & { isContentEditable?: boolean }): boolean {
  return (
    element.isContentEditable ||
    element.matches(LEFT_OUT) ||
    (element.matches(PERMALINK) && !WORD.test(element.textContent ?? ""))
  )
}

/** Whether nobody sees an element, by its style; text for screen readers alone is cut off by a clip. */
export function isUnseen(style: CSSStyleDeclaration): boolean {
  return style.display === "none" || /^rect|inset\((50|100)%/.test(style.clip + style.clipPath)
}
