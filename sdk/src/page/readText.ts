import { isExcluded, isHidden } from "./excluded.ts"
import { type PageText, rangeOf, type TextSegment } from "./textMap.ts"

export interface ReadOptions {
  /** Only text inside of it is read. */
  range?: Range
  /** A selector of further elements to exclude. */
  without?: string
  /** Whether the content of a closed `<details>` is read. */
  folded?: boolean
}

const NOT_BLOCK = /^(inline|contents|ruby|math|table-cell|$)/
const ALL = /.+/gs
/** Words with one character of white space between them, or more of it. */
const RUNS = /\S+(\s\S+)*|\s+/g

/**
 * The text below a node as a reader sees it: white space is collapsed unless the style preserves it, with an
 * empty line between blocks and a tab between table cells.
 */
export function readText(root: Node, { range, without, folded }: ReadOptions = {}): PageText {
  const parts: string[] = []
  const segments: TextSegment[] = []
  let length = 0
  // White space that is written once something follows it, with its position if it has one.
  let gap: readonly [space: string, node?: Text, from?: number] = [""]

  const write = (text: string, node?: Text, from = 0) => {
    if (!text) return
    if (node) segments.push({ at: length, node, from, size: text.length })
    parts.push(text)
    length += text.length
  }
  /** Existing line breaks are not written again, and no line starts with a gap. */
  const fill = () => {
    const last = parts.at(-1)
    const [space, node, from] = gap
    if (last) write(space.slice(last.length - last.search(/\n*$/)), node, from)
    gap = [""]
  }

  const readWords = (node: Text, isPreserved: boolean) => {
    const start = node === range?.startContainer ? range.startOffset : 0
    const end = node === range?.endContainer ? range.endOffset : node.length
    for (const { 0: run, index } of node.data.slice(start, end).matchAll(isPreserved ? ALL : RUNS)) {
      if (isPreserved || run.trim()) {
        fill()
        write(isPreserved ? run : run.replace(/\s/g, " "), node, start + index)
      } else if (!gap[0]) gap = [" ", node, start + index]
    }
  }

  const readElement = (element: Element, border: string) => {
    if (isExcluded(element) || (without && element.matches(without))) return
    const style = getComputedStyle(element)
    if (isHidden(style)) return
    if (element.localName === "br") {
      if (gap[0] === " ") gap = [""]
      fill()
      if (length) write("\n")
    }
    const isBlock = !NOT_BLOCK.test(style.display)
    if (isBlock && gap[0] !== "\t" && gap[0].length < border.length) gap = [border]
    const lengthBefore = length
    const isClosed = !folded && element.matches("details:not([open])")
    for (const child of element.childNodes) if (!isClosed || child.nodeName === "SUMMARY") read(child, style)
    if (length === lengthBefore) return
    if (isBlock) gap = [border]
    else if (style.display === "table-cell") gap = ["\t"]
  }

  const read = (node: Node, style?: CSSStyleDeclaration) => {
    if (range && !range.intersectsNode(node)) return
    const isPreserved = /^(pre|break)/.test(style?.whiteSpace ?? "")
    if (isText(node)) {
      if (style?.visibility !== "hidden") readWords(node, isPreserved)
    } else if (isElement(node)) readElement(node, isPreserved ? "\n" : "\n\n")
    else for (const child of node.childNodes) read(child)
  }

  read(root)
  return { text: parts.join("").trimEnd(), segments }
}

/** The range from its first to its last visible character; null if there is none. */
export function readableRange(range: Range): Range | null {
  const reading = readText(document.body, { range })
  const start = reading.text.search(/\S/)
  return start < 0 ? null : rangeOf(reading, start, reading.text.length)
}

const isText = (node: Node): node is Text => node.nodeType === 3
const isElement = (node: Node): node is Element => node.nodeType === 1
