/** A stretch of a text and what it is marked as. */
export interface Mark<T> {
  start: number
  end: number
  as: T
}

/** A piece of a text with all marks that lie on it. */
export interface Piece<T> {
  text: string
  marks: T[]
}

/** The text cut wherever a mark begins or ends; the pieces together are the text, to the character. */
export function pieces<T>(text: string, marks: readonly Mark<T>[]): Piece<T>[] {
  const within = marks.filter(({ start, end }) => 0 <= start && start < end && end <= text.length)
  const cuts = new Set([0, text.length, ...within.flatMap(({ start, end }) => [start, end])])
  const places = [...cuts].sort((a, b) => a - b)
  return places.slice(0, -1).map((start, at) => {
    const end = places[at + 1]!
    const on = within.filter((mark) => mark.start <= start && end <= mark.end)
    return { text: text.slice(start, end), marks: on.map((mark) => mark.as) }
  })
}
