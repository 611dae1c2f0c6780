import {
  inWords,
  nonClaimInWords,
  type AnswerPiece,
  type AnswerTone,
  type GroundingData,
} from "../data/grounding"

export interface Shown {
  found: GroundingData
  /** The claim that is pointed at, or was gone to. */
  lit: number | null
  onPoint: (claim: number | null) => void
}

const LEGEND: [AnswerTone, string][] = [
  ["wrong", "does not fit"],
  ["doubtful", "unsure"],
  ["abstained", "says that the passages do not say"],
]

/** The answer; every claim is a link to what was found of it, and words that do not fit are marked. */
export function Answer({ found, lit, onPoint }: Shown) {
  const tones = new Set(found.answer.map(([, tone]) => tone))
  const there = LEGEND.filter(([tone]) => tones.has(tone))
  const nothing = kindsOf(found.answer)
  return (
    <section class="card" aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      <div class="text" dir="auto">
        {byClaim(found.answer).map(({ claim, pieces }, at) => {
          const words = pieces.map((piece, number) => <Piece key={number} piece={piece} />)
          if (claim === null)
            return (
              <span key={at} class="between">
                {words}
              </span>
            )
          const { support } = found.claims[claim]!
          return (
            <a
              key={at}
              id={`c${claim + 1}`}
              href={`#e${claim + 1}`}
              class={`claim claim-${support} ${lit === claim ? "lit" : ""}`}
              title={`claim ${claim + 1}: ${inWords(support)}`}
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
        {found.answer.length === 0 && <span class="between">The answer is empty.</span>}
      </div>
      {there.length + nothing.length > 0 && (
        <p class="legend small">
          {there.map(([tone, words]) => (
            <mark key={tone} class={`tone-${tone}`}>
              {words}
            </mark>
          ))}
          {nothing.length > 0 && (
            <span class="non-claim">not judged: {nothing.map(nonClaimInWords).join("; ")}</span>
          )}
        </p>
      )}
    </section>
  )
}

function Piece({ piece: [text, tone, , note] }: { piece: AnswerPiece }) {
  if ((tone === "between" || tone === "aside") && note !== null)
    return (
      <span
        class="non-claim"
        data-kind={note}
        title={`${nonClaimInWords(note)}: claims nothing, and is not judged`}
      >
        {text}
      </span>
    )
  if (tone === "aside" || tone === "between" || tone === "plain" || tone === "supported") return <>{text}</>
  return (
    <mark class={`tone-${tone}`} title={note === null ? undefined : nonClaimInWords(note)}>
      {text}
    </mark>
  )
}

/** What there is that claims nothing, each kind once, in the order in which it comes. */
export function kindsOf(pieces: readonly AnswerPiece[]): string[] {
  const kinds = pieces.flatMap(([, tone, , note]) =>
    (tone === "between" || tone === "aside") && note !== null ? [note] : [],
  )
  return [...new Set(kinds)]
}

interface Stretch {
  claim: number | null
  pieces: AnswerPiece[]
}

/** Pieces that follow each other and belong to the same claim, together. */
export function byClaim(pieces: readonly AnswerPiece[]): Stretch[] {
  const found: Stretch[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last && last.claim === piece[2]) last.pieces.push(piece)
    else found.push({ claim: piece[2], pieces: [piece] })
  }
  return found
}
