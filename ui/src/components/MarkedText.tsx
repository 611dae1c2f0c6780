import { useState } from "preact/hooks"
import { TONES, type EvidenceTone } from "../data/evidence"
import { splitByMarks, type Mark } from "../data/marks"
import { plural } from "../data/format"

/** How a span of a text is marked. */
export interface Tone {
  tone: EvidenceTone
  about: string
  /** Number of the evidence; pointing at the mark highlights it, and the other way round. */
  id: number
}

const INITIAL_CHARS = 20_000

interface Props {
  text: string
  marks: readonly Mark<Tone>[]
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** A text with its marks; a very long one is shown in full on request. */
export function MarkedText({ text, marks, pointed, onPoint }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? text : text.slice(0, INITIAL_CHARS)
  const visibleMarks = marks
    .filter((mark) => mark.start < shown.length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, shown.length) }))
  return (
    <>
      <div class="text" dir="auto">
        {splitByMarks(shown, visibleMarks).map((segment, at) => {
          const top = strongest(segment.marks)
          if (!top) return segment.text
          const isPointed = segment.marks.some((mark) => mark.id === pointed)
          return (
            <mark
              key={at}
              class={`tone-${top.tone} ${isPointed ? "highlighted" : ""}`}
              title={top.about}
              onPointerEnter={() => onPoint(top.id)}
              onPointerLeave={() => onPoint(null)}
            >
              {segment.text}
            </mark>
          )
        })}
      </div>
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {plural(text.length - shown.length, "more character", "more characters")}
        </button>
      )}
    </>
  )
}

function strongest(marks: Tone[]): Tone | undefined {
  return [...marks].sort((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone))[0]
}
