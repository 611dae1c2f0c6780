import { OUTCOMES, type Outcome } from "../data/outcome"
import { whole } from "../data/words"
import { OutcomeMark } from "./OutcomeBadge"

interface Asked {
  counts: Record<Outcome, number>
  chosen: ReadonlySet<Outcome>
  onToggle: (outcome: Outcome) => void
}

/** The count of each outcome; a press shows only tests with it. */
export function OutcomeFilter({ counts, chosen, onToggle }: Asked) {
  return (
    <div class="outcomes" role="group" aria-label="Filter by outcome">
      {OUTCOMES.filter((outcome) => outcome !== "measured" || counts.measured > 0).map((outcome) => (
        <button
          key={outcome}
          type="button"
          class={`chip chip-${outcome}`}
          aria-pressed={chosen.has(outcome)}
          onClick={() => onToggle(outcome)}
        >
          <OutcomeMark outcome={outcome} />
          <b>{whole(counts[outcome])}</b> {outcome}
        </button>
      ))}
    </div>
  )
}
