/** A part of the text that is in one text node, character by character. */
export interface TextSegment {
  readonly at: number
  readonly node: Text
  readonly from: number
  readonly size: number
}

/** The text of a page, and its mapping to text nodes. Line breaks between blocks have no node. */
export interface PageText {
  readonly text: string
  readonly segments: readonly TextSegment[]
}

/** The range of these characters; null if they have no node, or their nodes have become shorter. */
export function rangeOf({ segments }: PageText, start: number, end: number): Range | null {
  const covered = segments.filter(({ at, size }) => at < end && at + size > start)
  const first = covered[0]
  const last = covered.at(-1)
  if (!first || !last) return null
  const from = first.from + Math.max(0, start - first.at)
  const to = last.from + Math.min(last.size, end - last.at)
  if (from > first.node.length || to > last.node.length) return null
  const range = document.createRange()
  range.setStart(first.node, from)
  range.setEnd(last.node, to)
  return range
}

/** The offset of a character of a text node in the text; -1 if it is not part of it. */
export function offsetOf({ segments }: PageText, node: Node, offset: number): number {
  const segment = segments.find(
    (one) => one.node === node && one.from <= offset && offset < one.from + one.size,
  )
  return segment ? segment.at + offset - segment.from : -1
}
