import { OUTCOMES, type Outcome } from "../data/outcome"
import { counted } from "../data/words"

/** How many tests had which outcome, as one bar. */
export function TallyBar({ counts }: { counts: Record<Outcome, number> }) {
  const there = OUTCOMES.filter((outcome) => counts[outcome] > 0)
  const said = there.map((outcome) => `${counted(counts[outcome], "test")} ${outcome}`).join(", ")
  return (
    <div class="tally-bar" role="img" aria-label={said || "no tests"}>
      {there.map((outcome) => (
        <span
          key={outcome}
          class={`part part-${outcome}`}
          style={{ flexGrow: counts[outcome] }}
          title={`${counts[outcome]} ${outcome}`}
        />
      ))}
    </div>
  )
}
