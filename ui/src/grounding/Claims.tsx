import { supportLabel, outcomeOf, type Claim, type GroundingData, type Quote } from "../data/grounding"
import { decimals } from "../data/format"
import { OutcomeMark } from "../components/OutcomeBadge"
import { CodeText } from "../components/CodeText"
import type { GroundingProps } from "./Answer"
import { PlaceLink } from "./Passages"

/** Each claim: whether it is supported, why not, and the most similar sentences. */
export function Claims({ grounding, highlighted, onPoint }: GroundingProps) {
  return (
    <section class="claims" aria-labelledby="claims">
      <h2 id="claims">Claims and their evidence</h2>
      {grounding.claims.map((claim, at) => (
        <article
          key={at}
          id={`e${at + 1}`}
          tabIndex={-1}
          aria-labelledby={`t${at + 1}`}
          class={`card claim-${claim.support} ${highlighted === at ? "highlighted" : ""}`}
          onPointerEnter={() => onPoint(at)}
          onPointerLeave={() => onPoint(null)}
        >
          <Header claim={claim} number={at + 1} />
          {claim.notes.length > 0 && (
            <ul class="notes">
              {claim.notes.map((note, number) => (
                <li key={number} dir="auto">
                  <CodeText text={note.says} />
                </li>
              ))}
            </ul>
          )}
          {claim.evidence.map((quote, number) => (
            <Quoted key={number} quote={quote} grounding={grounding} />
          ))}
        </article>
      ))}
      {grounding.claims.some(({ evidence }) => evidence.length > 0) && (
        <p class="legend small">
          <mark class="tone-matching">words shared with the claim</mark>
          <mark class="tone-instead">contradicting text</mark>
        </p>
      )}
    </section>
  )
}

function Header({ claim, number }: { claim: Claim; number: number }) {
  const { support, value } = claim
  const outcome = outcomeOf(support)
  return (
    <h3 id={`t${number}`}>
      <a class="number" href={`#c${number}`} aria-label={`claim ${number}, in the answer`}>
        {number}
      </a>
      <span class={`badge badge-${outcome}`}>
        <OutcomeMark outcome={outcome} />
        {supportLabel(support)}
      </span>
      {value !== null && (
        <span class="score" title="share of its words that are supported, from 0 to 1">
          {decimals(value)}
        </span>
      )}
    </h3>
  )
}

function Quoted({ quote, grounding }: { quote: Quote; grounding: GroundingData }) {
  return (
    <blockquote>
      <p dir="auto">
        {quote.pieces.map(([text, part], at) =>
          part === "rest" ? (
            text
          ) : (
            <mark key={at} class={`tone-${part}`}>
              {text}
            </mark>
          ),
        )}
      </p>
      <footer>
        <PlaceLink grounding={grounding} place={quote} />
      </footer>
    </blockquote>
  )
}
