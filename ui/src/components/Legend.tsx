import { TONES, type EvidenceTone } from "../data/evidence"

const LABELS: Record<EvidenceTone, string> = {
  wrong: "mismatch",
  doubtful: "unsure",
  right: "supporting",
  "wrong-claim": "failed claim",
  "doubtful-claim": "unsure claim",
  claim: "checked",
}

/** The meaning of the marks that occur in a text. */
export function Legend({ tones }: { tones: EvidenceTone[] }) {
  const present = TONES.filter((tone) => tones.includes(tone))
  if (!present.length) return null
  return (
    <p class="legend small" aria-label="Legend">
      {present.map((tone) => (
        <mark key={tone} class={`tone-${tone}`}>
          {LABELS[tone]}
        </mark>
      ))}
    </p>
  )
}
