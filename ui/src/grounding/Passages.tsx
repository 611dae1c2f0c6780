import { useEffect, useRef, useState } from "preact/hooks"
import { anchorOf, marksIn, type GroundingData, type PassageMark, type Place } from "../data/grounding"
import { splitByMarks } from "../data/marks"
import { plural } from "../data/format"
import type { GroundingProps } from "./Answer"

export const INITIAL_CHARS = 20_000

/** The passages; sentences that were compared with a claim have its number. */
export function Passages(props: GroundingProps) {
  const { passages } = props.grounding
  if (!passages.length) return null
  return (
    <section class="card passages" aria-labelledby="passages">
      <h2 id="passages">{passages.length === 1 ? "Passage" : "Passages"}</h2>
      {passages.map((_, at) => (
        <PassageText key={at} at={at} {...props} />
      ))}
    </section>
  )
}

function PassageText({ at, grounding, ...rest }: GroundingProps & { at: number }) {
  const [all, setAll] = useState(false)
  useLongAnchors(at, all, setAll)
  const { text } = grounding.passages[at]!
  const shown = all ? text : text.slice(0, INITIAL_CHARS)
  const marks = marksIn(grounding, at)
    .filter(({ start }) => start < shown.length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, shown.length) }))
  let end = 0
  return (
    <div class="passage">
      <h3 dir="auto">{nameOf(grounding, at)}</h3>
      <div class="text soft" dir="auto">
        {splitByMarks(shown, marks).map((segment) => {
          const start = end
          end += segment.text.length
          const closing = marks.flatMap(({ as, end: last }) =>
            as.as === "evidence" && last === end ? [as.claim] : [],
          )
          return (
            <PassageSegment
              key={start}
              {...{ ...segment, id: anchorOf({ passage: at, start }), closing, grounding }}
              {...rest}
            />
          )
        })}
      </div>
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {plural(text.length - shown.length, "more character", "more characters")}
        </button>
      )}
    </div>
  )
}

/** A link to a span that is not shown yet shows the complete passage. */
function useLongAnchors(passage: number, all: boolean, setAll: (all: boolean) => void): void {
  const target = useRef<string | null>(null)
  useEffect(() => {
    const showTarget = () => {
      const [, number, start] = /^#p(\d+)-(\d+)$/.exec(location.hash) ?? []
      if (Number(number) !== passage || Number(start) < INITIAL_CHARS || all) return
      target.current = location.hash.slice(1)
      setAll(true)
    }
    showTarget()
    window.addEventListener("hashchange", showTarget)
    return () => window.removeEventListener("hashchange", showTarget)
  }, [passage, all])
  useEffect(() => {
    if (all && target.current) document.getElementById(target.current)?.scrollIntoView()
  }, [all])
}

interface Props extends GroundingProps {
  text: string
  marks: PassageMark[]
  id: string
  /** The claims whose evidence ends here. */
  closing: number[]
}

function PassageSegment({ text, marks, id, closing, grounding, highlighted, onPoint }: Props) {
  if (!marks.length) return <>{text}</>
  const claims = marks.flatMap((mark) => (mark.as === "evidence" ? [mark.claim] : []))
  const has = (as: PassageMark["as"]) => marks.some((mark) => mark.as === as)
  const tone = has("injection") ? "tone-doubtful" : has("instead") ? "tone-instead" : "tone-evidence"
  const supports = claims.some((claim) => grounding.claims[claim]!.support === "supported") ? "supports" : ""
  const highlight = highlighted !== null && claims.includes(highlighted) ? "highlighted" : ""
  return (
    <>
      <mark
        id={id}
        class={`${tone} ${supports} ${highlight}`}
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
                class="claim-link"
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

/** A link to a span of a passage. */
export function PlaceLink({ grounding, place }: { grounding: GroundingData; place: Place }) {
  const { name } = grounding.passages[place.passage]!
  return (
    <a class="source-link" href={`#${anchorOf(place)}`}>
      {name && <span dir="auto">{name} </span>}
      <code>{place.place}</code>
    </a>
  )
}

function nameOf({ passages }: GroundingData, at: number): string {
  return passages[at]!.name ?? `passages[${at}]`
}
