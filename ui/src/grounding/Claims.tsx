import { inWords, outcomeOf, type Claim, type GroundingData, type Quote } from "../data/grounding"
import { decimals } from "../data/words"
import { OutcomeMark } from "../pieces/OutcomeBadge"
import { Ticked } from "../pieces/Ticked"
import type { Shown } from "./Answer"
import { PlaceLink } from "./Passages"

/** What was found of each claim: whether it is supported, why not, and the sentences that come nearest. */
export function Claims({ found, lit, onPoint }: Shown) {
  return (
    <section class="claims" aria-labelledby="claims">
      <h2 id="claims">Claims and their evidence</h2>
      {found.claims.map((claim, at) => (
        <article
          key={at}
          id={`e${at + 1}`}
          tabIndex={-1}
          aria-labelledby={`t${at + 1}`}
          class={`card claim-${claim.support} ${lit === at ? "lit" : ""}`}
          onPointerEnter={() => onPoint(at)}
          onPointerLeave={() => onPoint(null)}
        >
          <Head claim={claim} number={at + 1} />
          {claim.notes.length > 0 && (
            <ul class="notes">
              {claim.notes.map((note, number) => (
                <li key={number} dir="auto">
                  <Ticked text={note.says} />
                </li>
              ))}
            </ul>
          )}
          {claim.evidence.map((quote, number) => (
            <Quoted key={number} quote={quote} found={found} />
          ))}
        </article>
      ))}
      {found.claims.some(({ evidence }) => evidence.length > 0) && (
        <p class="legend small">
          <mark class="tone-matching">words that the claim shares</mark>
          <mark class="tone-instead">what the passages say instead</mark>
        </p>
      )}
    </section>
  )
}

function Head({ claim, number }: { claim: Claim; number: number }) {
  const { support, value } = claim
  const outcome = outcomeOf(support)
  return (
    <h3 id={`t${number}`}>
      <a class="number" href={`#c${number}`} aria-label={`claim ${number}, in the answer`}>
        {number}
      </a>
      <span class={`badge badge-${outcome}`}>
        <OutcomeMark outcome={outcome} />
        {inWords(support)}
      </span>
      {value !== null && (
        <span class="score" title="how far its words are supported, from 0 to 1">
          {decimals(value)}
        </span>
      )}
    </h3>
  )
}

function Quoted({ quote, found }: { quote: Quote; found: GroundingData }) {
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
        <PlaceLink found={found} place={quote} />
      </footer>
    </blockquote>
  )
}
