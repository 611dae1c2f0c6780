import type { Filter } from "../data/filter"
import { toggleOutcome } from "../data/filter"
import type { Index } from "../data/run"
import { percent, integer } from "../data/format"
import { OutcomeFilter } from "../components/OutcomeFilter"
import { OutcomeBar } from "../components/OutcomeBar"
import { ThemeToggle, type Theme } from "../components/Theme"

interface Props {
  index: Index
  filter: Filter
  onFilter: (filter: Filter) => void
  theme: Theme
  onTheme: () => void
  onHelp: () => void
}

/** The name of the battery, and the outcomes of the run. */
export function Header({ index, filter, onFilter, theme, onTheme, onHelp }: Props) {
  const total = index.rows.test.length
  return (
    <header class="head">
      <div class="head-title">
        <p class="eyebrow">sensecheck · {index.battery}</p>
        <h1 dir="auto">{index.description || index.battery}</h1>
      </div>
      <div class="head-tools">
        <ThemeToggle theme={theme} onNext={onTheme} />
        <button
          type="button"
          class="quiet"
          onClick={onHelp}
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
        >
          ?
        </button>
      </div>
      <div class="head-summary">
        <p class="rate">
          <b>{percent(index.passRate)}</b>
          <span>
            {integer(index.outcomes.pass)} of {integer(total)} passed
          </span>
        </p>
        <div class="head-outcomes">
          <OutcomeBar counts={index.outcomes} />
          <OutcomeFilter
            counts={index.outcomes}
            chosen={filter.outcomes}
            onToggle={(outcome) => onFilter(toggleOutcome(filter, outcome))}
          />
        </div>
      </div>
    </header>
  )
}
