import { isLeftOut, isUnseen } from "./leftOut.ts"
import { type Reading, rangeOf, type Stretch } from "./textMap.ts"

export interface WalkOptions {
  /** Only what lies in it is read. */
  range?: Range
  /** A selector of more elements that are left out. */
  without?: string
  /** Whether the inside of a closed `<details>` is read. */
  folded?: boolean
}

const NOT_BLOCK = /^(inline|contents|ruby|math|table-cell|$)/
const ALL = /.+/gs
/** Words with one character of white space between them, or more of it. */
const RUNS = /\S+(\s\S+)*|\s+/g

/**
 * The text below a node as a reader sees it: white space folded unless the style keeps it, an empty line
 * between blocks, a tab between the cells of a table.
 */
export function readText(root: Node, { range, without, folded }: WalkOptions = {}): Reading {
  const parts: string[] = []
  const stretches: Stretch[] = []
  let length = 0
  // White space that is written as soon as something follows it, and where it stands if it stands somewhere.
  let gap: readonly [space: string, node?: Text, from?: number] = [""]

  const write = (text: string, node?: Text, from = 0) => {
    if (!text) return
    if (node) stretches.push({ at: length, node, from, size: text.length })
    parts.push(text)
    length += text.length
  }
  /** Line breaks that are there already are not written again, and no line begins with a gap. */
  const fill = () => {
    const last = parts.at(-1)
    const [space, node, from] = gap
    if (last) write(space.slice(last.length - last.search(/\n*$/)), node, from)
    gap = [""]
  }

  const readWords = (node: Text, isKept: boolean) => {
    const start = node === range?.startContainer ? range.startOffset : 0
    const end = node === range?.endContainer ? range.endOffset : node.length
    for (const { 0: run, index } of node.data.slice(start, end).matchAll(isKept ? ALL : RUNS)) {
      if (isKept || run.trim()) {
        fill()
        write(isKept ? run : run.replace(/\s/g, " "), node, start + index)
      } else if (!gap[0]) gap = [" ", node, start + index]
    }
  }

  const readElement = (element: Element, border: string) => {
    if (isLeftOut(element) || (without && element.matches(without))) return
    const style = getComputedStyle(element)
    if (isUnseen(style)) return
    if (element.localName === "br") {
      if (gap[0] === " ") gap = [""]
      fill()
      if (length) write("\n")
    }
    const isBlock = !NOT_BLOCK.test(style.display)
    if (isBlock && gap[0] !== "\t" && gap[0].length < border.length) gap = [border]
    const begun = length
    const isClosed = !folded && element.matches("details:not([open])")
    for (const child of element.childNodes) if (!isClosed || child.nodeName === "SUMMARY") read(child, style)
    if (length === begun) return
    if (isBlock) gap = [border]
    else if (style.display === "table-cell") gap = ["\t"]
  }

  const read = (node: Node, style?: CSSStyleDeclaration) => {
    if (range && !range.intersectsNode(node)) return
    const isKept = /^(pre|break)/.test(style?.whiteSpace ?? "")
    if (isText(node)) {
      if (style?.visibility !== "hidden") readWords(node, isKept)
    } else if (isElement(node)) readElement(node, isKept ? "\n" : "\n\n")
    else for (const child of node.childNodes) read(child)
  }

  read(root)
  return { text: parts.join("").trimEnd(), stretches }
}

/** The same range from its first to its last character that a reader sees; null when there is none. */
export function readableRange(range: Range): Range | null {
  const reading = readText(document.body, { range })
  const start = reading.text.search(/\S/)
  return start < 0 ? null : rangeOf(reading, start, reading.text.length)
}

const isText = (node: Node): node is Text => node.nodeType === 3
const isElement = (node: Node): node is Element => node.nodeType === 1
