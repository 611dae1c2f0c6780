/** A stretch of text that stands in one text node, character by character, as it stands in what was read. */
export interface Stretch {
  readonly at: number
  readonly node: Text
  readonly from: number
  readonly size: number
}

/** What was read, and where it stands in the page. Line breaks between blocks stand nowhere. */
export interface Reading {
  readonly text: string
  readonly stretches: readonly Stretch[]
}

/** The place in the page of these characters; null when they stand nowhere or their nodes have shrunk. */
export function rangeOf({ stretches }: Reading, start: number, end: number): Range | null {
  const within = stretches.filter(({ at, size }) => at < end && at + size > start)
  const first = within[0]
  const last = within.at(-1)
  if (!first || !last) return null
  const from = first.from + Math.max(0, start - first.at)
  const to = last.from + Math.min(last.size, end - last.at)
  if (from > first.node.length || to > last.node.length) return null
  const range = document.createRange()
  range.setStart(first.node, from)
  range.setEnd(last.node, to)
  return range
}

/** Where a character of a text node stands in what was read; -1 when it was not read. */
export function placeOf({ stretches }: Reading, node: Node, offset: number): number {
  const found = stretches.find(
    (one) => one.node === node && one.from <= offset && offset < one.from + one.size,
  )
  return found ? found.at + offset - found.from : -1
}
