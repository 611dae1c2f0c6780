import { bringIntoView } from "./scrolling.ts"

/** Marks evidence in the page without changing its nodes. */
export interface Highlighter {
  /** Instead of all that it has marked before. */
  show(ranges: readonly Range[]): void
  /** Scrolls there, opens what is folded around it, and marks it more strongly than the others. */
  goTo(range: Range): void
  destroy(): void
}

type Undo = () => void

const EVIDENCE = "sensecheck-evidence"
const NOW = "sensecheck-evidence-now"
const ATTRIBUTE = "data-sensecheck-evidence"
// Dark on bright in light and dark pages alike: both colours are given, so that their contrast is ours.
const STYLE = `::highlight(${EVIDENCE}),::highlight(${NOW}){background-color:#ffe58a;color:#1f1a00}
::highlight(${NOW}){background-color:#ffb938;text-decoration:underline}
[${ATTRIBUTE}]{outline:3px solid #b26a00;outline-offset:3px}
@media(forced-colors:active){::highlight(${EVIDENCE}),::highlight(${NOW}){background-color:Mark;color:MarkText}}`

export function createHighlighter(document: Document): Highlighter {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const registry: HighlightRegistry | undefined = CSS.highlights
  const shown: Undo[] = []
  const now: Undo[] = []

  // Others on the page may mark by the same names, so each takes away its own ranges only.
  const paint = (name: string, given: Range, highlights: HighlightRegistry): Undo => {
    const highlight = highlights.get(name) ?? new Highlight()
    const range = given.cloneRange()
    highlight.priority = name === NOW ? 1 : 0
    highlights.set(name, highlight.add(range))
    return () => {
      highlight.delete(range)
      if (!highlight.size) highlights.delete(name)
    }
  }
  const mark = (name: string, range: Range) => (registry ? paint(name, range, registry) : outline(range))
  const undo = (marks: Undo[]) => {
    for (const each of marks.splice(0)) each()
  }
  const clear = () => {
    undo(shown)
    undo(now)
  }

  return {
    show(ranges) {
      clear()
      for (const range of ranges) shown.push(mark(EVIDENCE, range))
    },
    goTo(range) {
      undo(now)
      now.push(mark(NOW, range))
      bringIntoView(range)
    },
    destroy() {
      clear()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    },
  }
}

/** For browsers without highlights: the block where the range begins. The attribute counts who wants it. */
function outline(range: Range): Undo {
  const block = range.startContainer.parentElement?.closest("p,li,dd,td,pre,div,body")
  const count = (step: number) => {
    const wanted = Number(block?.getAttribute(ATTRIBUTE)) + step
    if (wanted) block?.setAttribute(ATTRIBUTE, `${wanted}`)
    else block?.removeAttribute(ATTRIBUTE)
  }
  count(1)
  return () => count(-1)
}
