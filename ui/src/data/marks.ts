/** A span of a text and what it is marked as. */
export interface Mark<T> {
  start: number
  end: number
  as: T
}

/** A segment of a text with all marks that cover it. */
export interface Segment<T> {
  text: string
  marks: T[]
}

/** The text, split wherever a mark begins or ends; joined, the segments are the text again. */
export function splitByMarks<T>(text: string, marks: readonly Mark<T>[]): Segment<T>[] {
  const valid = marks.filter(({ start, end }) => 0 <= start && start < end && end <= text.length)
  const cuts = new Set([0, text.length, ...valid.flatMap(({ start, end }) => [start, end])])
  const offsets = [...cuts].sort((a, b) => a - b)
  return offsets.slice(0, -1).map((start, at) => {
    const end = offsets[at + 1]!
    const covering = valid.filter((mark) => mark.start <= start && end <= mark.end)
    return { text: text.slice(start, end), marks: covering.map((mark) => mark.as) }
  })
}
