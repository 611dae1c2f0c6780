import { inWords, othersOf, type GroundingData } from "../data/grounding"
import { decimals, whole } from "../data/words"
import { ClosenessBar } from "../pieces/ClosenessBar"

/** The figures that are looked for first. */
export function Tiles({ found }: { found: GroundingData }) {
  const { value, threshold, claims, unread_chars: unread } = found
  return (
    <dl class="tiles">
      {value !== null && (
        <Tile what="support by its words" figure={decimals(value)}>
          {threshold && (
            <>
              <ClosenessBar value={value} line={lineOf(threshold)} outcome={found.outcome} />
              <span>threshold: {threshold.words.split(" (")[0]}</span>
            </>
          )}
        </Tile>
      )}
      {claims.length > 0 && (
        <Tile what="claims supported" figure={`${supported(found)} of ${claims.length}`}>
          <Claimed found={found} />
          <span>{othersOf(claims) || "nothing else"}</span>
        </Tile>
      )}
      <Tile what="policy" figure={found.policy}>
        <span>
          fail mode {found.fail_mode}: the answer {found.accepted ? "may be shown" : "is held back"}
        </span>
      </Tile>
      {unread !== null && (
        <Tile what="unread characters" figure={whole(unread)}>
          <span>{unread ? "nothing of what they say was judged" : "everything was read"}</span>
        </Tile>
      )}
    </dl>
  )
}

function Tile({
  what,
  figure,
  children,
}: {
  what: string
  figure: string
  children: preact.ComponentChildren
}) {
  return (
    <div class="card">
      <dt>{what}</dt>
      <dd>
        <b>{figure}</b>
        {children}
      </dd>
    </div>
  )
}

/** A cell for each claim, in the order of the answer. */
function Claimed({ found: { claims } }: { found: GroundingData }) {
  return (
    <span class="claimed" aria-hidden="true">
      {claims.slice(0, 60).map(({ support }, at) => (
        <span key={at} class={`part claimed-${support}`} title={`${at + 1}: ${inWords(support)}`} />
      ))}
    </span>
  )
}

function supported({ claims }: GroundingData): number {
  return claims.filter((claim) => claim.support === "supported").length
}

function lineOf({ line, good, doubt, words, calibrated, promise }: NonNullable<GroundingData["threshold"]>) {
  return {
    line,
    good,
    words,
    calibrated,
    ...(doubt && { doubt }),
    ...(promise && { promise }),
  }
}
