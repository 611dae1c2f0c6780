import { TONES, type EvidenceTone } from "../data/evidence"

const WORDS: Record<EvidenceTone, string> = {
  wrong: "does not fit",
  doubtful: "in doubt",
  right: "speaks for it",
  "wrong-claim": "claim that fails",
  "doubtful-claim": "claim in doubt",
  claim: "looked at",
}

/** What the marks in a text mean; only those that are there. */
export function Legend({ tones }: { tones: EvidenceTone[] }) {
  const there = TONES.filter((tone) => tones.includes(tone))
  if (!there.length) return null
  return (
    <p class="legend small" aria-label="What the marks mean">
      {there.map((tone) => (
        <mark key={tone} class={`tone-${tone}`}>
          {WORDS[tone]}
        </mark>
      ))}
    </p>
  )
}
