import { OUTCOMES, type Outcome } from "../data/outcome"
import { plural } from "../data/format"

/** The number of tests by outcome, as a stacked bar. */
export function OutcomeBar({ counts }: { counts: Record<Outcome, number> }) {
  const present = OUTCOMES.filter((outcome) => counts[outcome] > 0)
  const label = present.map((outcome) => `${plural(counts[outcome], "test")} ${outcome}`).join(", ")
  return (
    <div class="outcome-bar" role="img" aria-label={label || "no tests"}>
      {present.map((outcome) => (
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
