import { useState } from "preact/hooks"
import { TONES, type EvidenceTone } from "../data/evidence"
import { pieces, type Mark } from "../data/marks"
import { counted } from "../data/words"

/** What a stretch of an answer is marked as. */
export interface Tone {
  tone: EvidenceTone
  about: string
  /** The evidence that marks it, so that pointing at the one shows the other. */
  id: number
}

const AT_FIRST = 20_000

interface Asked {
  text: string
  marks: readonly Mark<Tone>[]
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** A text with its marks; a very long one is shown in full only when asked. */
export function MarkedText({ text, marks, pointed, onPoint }: Asked) {
  const [all, setAll] = useState(false)
  const shown = all ? text : text.slice(0, AT_FIRST)
  const inSight = marks
    .filter((mark) => mark.start < shown.length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, shown.length) }))
  return (
    <>
      <div class="text" dir="auto">
        {pieces(shown, inSight).map((piece, at) => {
          const top = strongest(piece.marks)
          if (!top) return piece.text
          const lit = piece.marks.some((mark) => mark.id === pointed)
          return (
            <mark
              key={at}
              class={`tone-${top.tone} ${lit ? "lit" : ""}`}
              title={top.about}
              onPointerEnter={() => onPoint(top.id)}
              onPointerLeave={() => onPoint(null)}
            >
              {piece.text}
            </mark>
          )
        })}
      </div>
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show the other {counted(text.length - shown.length, "character")}
        </button>
      )}
    </>
  )
}

function strongest(marks: Tone[]): Tone | undefined {
  return [...marks].sort((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone))[0]
}
