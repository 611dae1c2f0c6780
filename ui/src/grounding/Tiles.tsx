import { supportLabel, otherSupportCounts, type GroundingData } from "../data/grounding"
import { decimals, integer } from "../data/format"
import { ScoreBar } from "../components/ScoreBar"

/** The key figures. */
export function Tiles({ grounding }: { grounding: GroundingData }) {
  const { value, threshold, claims, unread_chars: unread } = grounding
  return (
    <dl class="tiles">
      {value !== null && (
        <Tile label="support score" figure={decimals(value)}>
          {threshold && (
            <>
              <ScoreBar value={value} cutoff={cutoffOf(threshold)} outcome={grounding.outcome} />
              <span>threshold: {threshold.words.split(" (")[0]}</span>
            </>
          )}
        </Tile>
      )}
      {claims.length > 0 && (
        <Tile label="claims supported" figure={`${supported(grounding)} of ${claims.length}`}>
          <ClaimBar grounding={grounding} />
          <span>{otherSupportCounts(claims) || "no others"}</span>
        </Tile>
      )}
      <Tile label="policy" figure={grounding.policy}>
        <span>
          fail mode {grounding.fail_mode}: the answer {grounding.accepted ? "may be shown" : "is withheld"}
        </span>
      </Tile>
      {unread !== null && (
        <Tile label="unread characters" figure={integer(unread)}>
          <span>{unread ? "they were not checked" : "all text was read"}</span>
        </Tile>
      )}
    </dl>
  )
}

function Tile({
  label,
  figure,
  children,
}: {
  label: string
  figure: string
  children: preact.ComponentChildren
}) {
  return (
    <div class="card">
      <dt>{label}</dt>
      <dd>
        <b>{figure}</b>
        {children}
      </dd>
    </div>
  )
}

/** A cell for each claim, in the order of the answer. */
function ClaimBar({ grounding: { claims } }: { grounding: GroundingData }) {
  return (
    <span class="claim-bar" aria-hidden="true">
      {claims.slice(0, 60).map(({ support }, at) => (
        <span key={at} class={`part claim-bar-${support}`} title={`${at + 1}: ${supportLabel(support)}`} />
      ))}
    </span>
  )
}

function supported({ claims }: GroundingData): number {
  return claims.filter((claim) => claim.support === "supported").length
}

function cutoffOf({
  line,
  good,
  doubt,
  words,
  calibrated,
  promise,
}: NonNullable<GroundingData["threshold"]>) {
  return {
    line,
    good,
    words,
    calibrated,
    ...(doubt && { doubt }),
    ...(promise && { promise }),
  }
}
