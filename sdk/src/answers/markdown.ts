import { createElement } from "../widget/dom.ts"

/** Private characters that stand for the marks of an answer, so that a mark keeps its place through parsing. */
const FIRST_MARK = 0xe000
const MARK = /[\ue000-\ue0ff]/
const MARKS = /[\ue000-\ue0ff]/g

/** Blocks: a fence of code, a heading, an item of a list, a quote. */
const FENCE = /^\s*(```|~~~)/
const HEADING = /^#{1,6}\s+(.*)/
const ITEM = /^\s*(?:[-*+•]|(\d{1,9})[.)])\s+(.*)/
const QUOTE = /^>\s?(.*)/
/**
 * Inline: an escaped character, code, strong text, emphasis, an image or a link, a mark. Lengths are
 * limited, so that the time grows with the length of the text.
 */
const INLINE =
  /\\([!-/:-@[-`{-~])|`([^`\n]+)`|\*\*(?!\s)((?:`[^`\n]{1,99}`|[^*`\n]){1,300})\*\*|\*(?![*\s])((?:`[^`\n]{1,99}`|[^*`\n]){1,300})(?<!\s)\*|(!?)\[([^[\]\n]*)\]\(([^()\s]*)\)|([\ue000-\ue0ff])/g

/**
 * The nodes of a text in simple Markdown, built one by one: markup in the text stays text. A mark is inserted at each
 * of the positions, which are in ascending order.
 */
export function renderMarkdown(text: string, ends: readonly number[], mark: (index: number) => Node): Node[] {
  return blocksOf(withMarks(text, ends), (character) => mark(character.charCodeAt(0) - FIRST_MARK))
}

/** The text as it is, with marks. */
export function renderPlain(text: string, ends: readonly number[], mark: (index: number) => Node): Node[] {
  const nodes = plain(withMarks(text, ends), (character) => mark(character.charCodeAt(0) - FIRST_MARK))
  return [createElement("p", {}, ...nodes)]
}

/** A private character of the text itself is replaced: it is no mark. */
function withMarks(text: string, ends: readonly number[]): string {
  const clean = text.replace(MARKS, "\ufffd")
  let from = 0
  const parts = ends.map((end, index) => {
    const to = Math.max(from, end)
    const part = clean.slice(from, to)
    from = to
    return part + String.fromCharCode(FIRST_MARK + index)
  })
  return parts.join("") + clean.slice(from)
}

type Mark = (character: string) => Node

function blocksOf(text: string, mark: Mark): Node[] {
  const blocks: HTMLElement[] = []
  /** The block that the next line may continue. */
  let open: HTMLElement | undefined
  const start = (block: HTMLElement) => {
    blocks.push(block)
    open = block
    return block
  }
  const lines = text.split("\n")
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const fence = FENCE.exec(line)
    const item = ITEM.exec(line)
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[1] as string))
      const code = lines.slice(at + 1, end < 0 ? undefined : end)
      // Marks of the fence itself follow its code.
      const marks = [line, lines[end] ?? ""].flatMap((other) => other.match(MARKS) ?? [])
      start(codeBlock(code.join("\n"), marks, mark))
      open = undefined
      at = end < 0 ? lines.length : end
    } else if (item) {
      const [, number, content = ""] = item
      const tag = number ? "ol" : "ul"
      const list = open?.localName === tag ? open : start(createElement(tag, {}))
      if (number && !list.childElementCount) list.setAttribute("start", number)
      list.append(createElement("li", {}, ...inline(content, mark)))
    } else if (!line.replace(MARKS, "").trim()) {
      const last = blocks.at(-1)
      ;(last?.matches("ul,ol") ? last.lastElementChild : last)?.append(...inline(line.trim(), mark))
      open = undefined
    } else {
      const heading = HEADING.exec(line)
      if (heading) {
        start(createElement("p", {}, createElement("strong", {}, ...inline(heading[1] ?? "", mark))))
        open = undefined
      } else if (open?.localName === "p") open.append("\n", ...inline(QUOTE.exec(line)?.[1] ?? line, mark))
      else if (open && /^\s/.test(line)) open.lastElementChild?.append("\n", ...inline(line.trim(), mark))
      else start(createElement("p", {}, ...inline(QUOTE.exec(line)?.[1] ?? line, mark)))
    }
  }
  return blocks
}

function codeBlock(code: string, marks: readonly string[], mark: Mark): HTMLElement {
  // A scrolling area must be reachable by keyboard.
  return createElement(
    "pre",
    { tabIndex: 0 },
    createElement("code", {}, ...plain(code, mark)),
    ...marks.map(mark),
  )
}

function inline(text: string, mark: Mark): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let from = 0
  for (const found of text.matchAll(INLINE)) {
    const [all, escaped, code, strong, emphasis, image, label, address, character] = found
    nodes.push(text.slice(from, found.index))
    from = found.index + all.length
    if (escaped) nodes.push(escaped)
    else if (code) nodes.push(createElement("code", {}, ...plain(code, mark)))
    else if (strong) nodes.push(createElement("strong", {}, ...inline(strong, mark)))
    else if (emphasis) nodes.push(createElement("em", {}, ...inline(emphasis, mark)))
    else if (character) nodes.push(mark(character))
    else nodes.push(...link(image ? "" : (address ?? ""), inline(label ?? "", mark)))
  }
  return [...nodes, text.slice(from)]
}

/** Text in which only marks have a meaning. */
function plain(text: string, mark: Mark): (Node | string)[] {
  return text.split(/([\ue000-\ue0ff])/).map((part) => (MARK.test(part) ? mark(part) : part))
}

/** Only a page of the same site is linked; another address is shown as text, so that nobody is led away unawares. */
function link(address: string, label: (Node | string)[]): (Node | string)[] {
  if (!address) return label
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null
  return url && url.origin === location.origin && /^https?:$/.test(url.protocol)
    ? [createElement("a", { href: url.href }, ...label)]
    : [...label, ` (${address})`]
}
