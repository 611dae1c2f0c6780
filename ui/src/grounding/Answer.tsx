import {
  supportLabel,
  nonClaimLabel,
  type AnswerSegment,
  type AnswerTone,
  type GroundingData,
} from "../data/grounding"

export interface GroundingProps {
  grounding: GroundingData
  /** The claim that is pointed at, or was chosen by keyboard. */
  highlighted: number | null
  onPoint: (claim: number | null) => void
}

const LEGEND: [AnswerTone, string][] = [
  ["wrong", "mismatch"],
  ["doubtful", "unsure"],
  ["abstained", "says that the passages do not contain it"],
]

/** The answer; every claim links to its evidence, and mismatches are marked. */
export function Answer({ grounding, highlighted, onPoint }: GroundingProps) {
  const tones = new Set(grounding.answer.map(([, tone]) => tone))
  const present = LEGEND.filter(([tone]) => tones.has(tone))
  const nonClaims = nonClaimKinds(grounding.answer)
  return (
    <section class="card" aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      <div class="text" dir="auto">
        {byClaim(grounding.answer).map(({ claim, segments }, at) => {
          const words = segments.map((segment, number) => <AnswerText key={number} segment={segment} />)
          if (claim === null)
            return (
              <span key={at} class="no-claim">
                {words}
              </span>
            )
          const { support } = grounding.claims[claim]!
          return (
            <a
              key={at}
              id={`c${claim + 1}`}
              href={`#e${claim + 1}`}
              class={`claim claim-${support} ${highlighted === claim ? "highlighted" : ""}`}
              title={`claim ${claim + 1}: ${supportLabel(support)}`}
              onPointerEnter={() => onPoint(claim)}
              onPointerLeave={() => onPoint(null)}
              onFocus={() => onPoint(claim)}
              onBlur={() => onPoint(null)}
            >
              {words}
              <sup>{claim + 1}</sup>
            </a>
          )
        })}
        {grounding.answer.length === 0 && <span class="no-claim">The answer is empty.</span>}
      </div>
      {present.length + nonClaims.length > 0 && (
        <p class="legend small">
          {present.map(([tone, words]) => (
            <mark key={tone} class={`tone-${tone}`}>
              {words}
            </mark>
          ))}
          {nonClaims.length > 0 && (
            <span class="non-claim">not checked: {nonClaims.map(nonClaimLabel).join("; ")}</span>
          )}
        </p>
      )}
    </section>
  )
}

function AnswerText({ segment: [text, tone, , note] }: { segment: AnswerSegment }) {
  if ((tone === "between" || tone === "aside") && note !== null)
    return (
      <span class="non-claim" data-kind={note} title={`${nonClaimLabel(note)}: not a claim, not checked`}>
        {text}
      </span>
    )
  if (tone === "aside" || tone === "between" || tone === "plain" || tone === "supported") return <>{text}</>
  return (
    <mark class={`tone-${tone}`} title={note === null ? undefined : nonClaimLabel(note)}>
      {text}
    </mark>
  )
}

/** The kinds of text that are no claims, each once, in the order of the answer. */
export function nonClaimKinds(segments: readonly AnswerSegment[]): string[] {
  const kinds = segments.flatMap(([, tone, , note]) =>
    (tone === "between" || tone === "aside") && note !== null ? [note] : [],
  )
  return [...new Set(kinds)]
}

interface ClaimSegments {
  claim: number | null
  segments: AnswerSegment[]
}

/** Consecutive segments of the same claim, grouped. */
export function byClaim(segments: readonly AnswerSegment[]): ClaimSegments[] {
  const groups: ClaimSegments[] = []
  for (const segment of segments) {
    const last = groups.at(-1)
    if (last && last.claim === segment[2]) last.segments.push(segment)
    else groups.push({ claim: segment[2], segments: [segment] })
  }
  return groups
}
