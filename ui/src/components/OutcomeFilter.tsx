import { OUTCOMES, type Outcome } from "../data/outcome"
import { integer } from "../data/format"
import { OutcomeMark } from "./OutcomeBadge"

interface Props {
  counts: Record<Outcome, number>
  chosen: ReadonlySet<Outcome>
  onToggle: (outcome: Outcome) => void
}

/** The count of each outcome; a click filters by it. */
export function OutcomeFilter({ counts, chosen, onToggle }: Props) {
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
          <b>{integer(counts[outcome])}</b> {outcome}
        </button>
      ))}
    </div>
  )
}
