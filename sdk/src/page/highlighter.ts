/** Highlights evidence in the page without changing its nodes. */
export interface Highlighter {
  /** Replaces all previous highlights. */
  show(ranges: readonly Range[]): void
  /** Highlights a range more strongly than the others. */
  point(range: Range): void
  destroy(): void
}

type Undo = () => void

const EVIDENCE = "sensecheck-evidence"
const CURRENT = "sensecheck-evidence-now"
const ATTRIBUTE = "data-sensecheck-evidence"
// Dark on bright in light and dark pages: both colours are set, so that their contrast is known.
const STYLE = `::highlight(${EVIDENCE}),::highlight(${CURRENT}){background-color:#ffe58a;color:#1f1a00}
::highlight(${CURRENT}){background-color:#ffb938;text-decoration:underline}
[${ATTRIBUTE}]{outline:3px solid #b26a00;outline-offset:3px}
@media(forced-colors:active){::highlight(${EVIDENCE}),::highlight(${CURRENT}){background-color:Mark;color:MarkText}}`

export function createHighlighter(document: Document): Highlighter {
  const styleSheet = new CSSStyleSheet()
  styleSheet.replaceSync(STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styleSheet]
  const registry: HighlightRegistry | undefined = CSS.highlights
  const shown: Undo[] = []
  const current: Undo[] = []

  // Other widgets on the page may use the same names, so each removes its own ranges only.
  const paint = (name: string, source: Range, highlights: HighlightRegistry): Undo => {
    const highlight = highlights.get(name) ?? new Highlight()
    const range = source.cloneRange()
    highlight.priority = name === CURRENT ? 1 : 0
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
    undo(current)
  }

  return {
    show(ranges) {
      clear()
      for (const range of ranges) shown.push(mark(EVIDENCE, range))
    },
    point(range) {
      undo(current)
      current.push(mark(CURRENT, range))
    },
    destroy() {
      clear()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== styleSheet)
    },
  }
}

/** For browsers without the highlight API: outlines the block where the range starts. The attribute is a counter. */
function outline(range: Range): Undo {
  const block = range.startContainer.parentElement?.closest("p,li,dd,td,pre,div,body")
  const change = (step: number) => {
    const count = Number(block?.getAttribute(ATTRIBUTE)) + step
    if (count) block?.setAttribute(ATTRIBUTE, `${count}`)
    else block?.removeAttribute(ATTRIBUTE)
  }
  change(1)
  return () => change(-1)
}
