import type { Filter } from "../data/filter"
import { toggled } from "../data/filter"
import type { Index } from "../data/run"
import { percent, whole } from "../data/words"
import { OutcomeFilter } from "../pieces/OutcomeFilter"
import { TallyBar } from "../pieces/TallyBar"
import { ThemeToggle, type Theme } from "../pieces/Theme"

interface Asked {
  index: Index
  filter: Filter
  onFilter: (filter: Filter) => void
  theme: Theme
  onTheme: () => void
  onHelp: () => void
}

/** What was run, and what it came to. */
export function Head({ index, filter, onFilter, theme, onTheme, onHelp }: Asked) {
  const total = index.rows.test.length
  return (
    <header class="head">
      <div class="head-title">
        <p class="over">sensecheck · {index.battery}</p>
        <h1 dir="auto">{index.description || index.battery}</h1>
      </div>
      <div class="head-tools">
        <ThemeToggle theme={theme} onNext={onTheme} />
        <button type="button" class="quiet" onClick={onHelp} aria-label="Keys" title="Keys (?)">
          ?
        </button>
      </div>
      <div class="head-tally">
        <p class="rate">
          <b>{percent(index.passRate)}</b>
          <span>
            {whole(index.outcomes.pass)} of {whole(total)} passed
          </span>
        </p>
        <div class="head-outcomes">
          <TallyBar counts={index.outcomes} />
          <OutcomeFilter
            counts={index.outcomes}
            chosen={filter.outcomes}
            onToggle={(outcome) => onFilter(toggled(filter, outcome))}
          />
        </div>
      </div>
    </header>
  )
}
