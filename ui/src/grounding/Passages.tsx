import { useEffect, useRef, useState } from "preact/hooks"
import { anchorOf, marksIn, type GroundingData, type PassageMark, type Place } from "../data/grounding"
import { pieces } from "../data/marks"
import { counted } from "../data/words"
import type { Shown } from "./Answer"

export const AT_FIRST = 20_000

/** The passages as they are; sentences that were held against a claim carry its number. */
export function Passages(shown: Shown) {
  const { passages } = shown.found
  if (!passages.length) return null
  return (
    <section class="card passages" aria-labelledby="passages">
      <h2 id="passages">{passages.length === 1 ? "Passage" : "Passages"}</h2>
      {passages.map((_, at) => (
        <PassageText key={at} at={at} {...shown} />
      ))}
    </section>
  )
}

function PassageText({ at, found, ...rest }: Shown & { at: number }) {
  const [all, setAll] = useState(false)
  useLongAnchors(at, all, setAll)
  const { text } = found.passages[at]!
  const shown = all ? text : text.slice(0, AT_FIRST)
  const marks = marksIn(found, at)
    .filter(({ start }) => start < shown.length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, shown.length) }))
  let end = 0
  return (
    <div class="passage">
      <h3 dir="auto">{nameOf(found, at)}</h3>
      <div class="text soft" dir="auto">
        {pieces(shown, marks).map((piece) => {
          const start = end
          end += piece.text.length
          const closing = marks.flatMap(({ as, end: last }) =>
            as.as === "evidence" && last === end ? [as.claim] : [],
          )
          return (
            <Stretch
              key={start}
              {...{ ...piece, id: anchorOf({ passage: at, start }), closing, found }}
              {...rest}
            />
          )
        })}
      </div>
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show the other {counted(text.length - shown.length, "character")}
        </button>
      )}
    </div>
  )
}

/** A link to a place that is not shown yet shows it. */
function useLongAnchors(passage: number, all: boolean, setAll: (all: boolean) => void): void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const look = () => {
      const [, number, start] = /^#p(\d+)-(\d+)$/.exec(location.hash) ?? []
      if (Number(number) !== passage || Number(start) < AT_FIRST || all) return
      wanted.current = location.hash.slice(1)
      setAll(true)
    }
    look()
    window.addEventListener("hashchange", look)
    return () => window.removeEventListener("hashchange", look)
  }, [passage, all])
  useEffect(() => {
    if (all && wanted.current) document.getElementById(wanted.current)?.scrollIntoView()
  }, [all])
}

interface Asked extends Shown {
  text: string
  marks: PassageMark[]
  id: string
  /** The claims whose evidence ends here. */
  closing: number[]
}

function Stretch({ text, marks, id, closing, found, lit, onPoint }: Asked) {
  if (!marks.length) return <>{text}</>
  const claims = marks.flatMap((mark) => (mark.as === "evidence" ? [mark.claim] : []))
  const has = (as: PassageMark["as"]) => marks.some((mark) => mark.as === as)
  const tone = has("injection") ? "tone-doubtful" : has("instead") ? "tone-instead" : "tone-evidence"
  const speaksFor = claims.some((claim) => found.claims[claim]!.support === "supported") ? "for" : ""
  const isLit = lit !== null && claims.includes(lit) ? "lit" : ""
  return (
    <>
      <mark
        id={id}
        class={`${tone} ${speaksFor} ${isLit}`}
        onPointerEnter={() => onPoint(claims[0] ?? null)}
        onPointerLeave={() => onPoint(null)}
      >
        {text}
      </mark>
      {closing.length > 0 && (
        <sup>
          {[...new Set(closing)].map((claim, at) => (
            <>
              {at > 0 && ","}
              <a
                key={claim}
                class="back"
                href={`#e${claim + 1}`}
                aria-label={`evidence of claim ${claim + 1}`}
              >
                {claim + 1}
              </a>
            </>
          ))}
        </sup>
      )}
    </>
  )
}

/** Where something stands, with a link to the place in the passage. */
export function PlaceLink({ found, place }: { found: GroundingData; place: Place }) {
  const { name } = found.passages[place.passage]!
  return (
    <a class="place" href={`#${anchorOf(place)}`}>
      {name && <span dir="auto">{name} </span>}
      <code>{place.place}</code>
    </a>
  )
}

function nameOf({ passages }: GroundingData, at: number): string {
  return passages[at]!.name ?? `passages[${at}]`
}
