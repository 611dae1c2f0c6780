import type { Ref } from "preact"
import { assertionName } from "../data/viewState"
import { NO_FILTER, isNoFilter, type Consistency, type Filter } from "../data/filter"
import { ORDERS, type Order } from "../data/order"
import type { Index } from "../data/run"
import { integer } from "../data/format"

const CONSISTENCIES: readonly Consistency[] = ["consistent", "inconsistent"]

interface Props {
  index: Index
  filter: Filter
  onFilter: (filter: Filter) => void
  order: Order
  onOrder: (order: Order) => void
  matchCount: number
  searching: boolean
  field: Ref<HTMLInputElement>
}

/** Search and filters; a filter with a single choice is not shown. */
export function FilterBar({ index, filter, onFilter, order, onOrder, matchCount, searching, field }: Props) {
  const total = index.rows.test.length
  const choose = (part: Partial<Filter>) => onFilter({ ...filter, ...part })
  const assertions = index.assertions.map((_, at) => assertionName(index, at))
  const repeated = index.rows.consistency.some(Boolean)
  return (
    <search class="filters">
      <input
        ref={field}
        type="search"
        placeholder="Search names, prompts, variables, answers"
        aria-label="Search names, prompts, variables, answers"
        value={filter.query}
        onInput={(event) => choose({ query: event.currentTarget.value })}
      />
      <Choice
        label="Source"
        names={index.sources}
        chosen={filter.source}
        onChoose={(source) => choose({ source })}
      />
      <Choice
        label="Prompt"
        names={index.wordings}
        chosen={filter.prompt}
        onChoose={(prompt) => choose({ prompt })}
      />
      <Choice
        label="Assertion"
        names={assertions}
        chosen={filter.assertion}
        onChoose={(assertion) => choose({ assertion })}
      />
      {repeated && (
        <Choice
          label="Repeats"
          names={CONSISTENCIES}
          chosen={filter.consistency === null ? null : CONSISTENCIES.indexOf(filter.consistency)}
          onChoose={(at) => choose({ consistency: at === null ? null : CONSISTENCIES[at]! })}
        />
      )}
      <div class="list-status">
        <p role="status">
          {matchCount === total
            ? `${integer(total)} listed`
            : `${integer(matchCount)} of ${integer(total)} listed`}
          {searching && ", searching the texts …"}
        </p>
        <select
          aria-label="Order"
          value={order}
          onChange={({ currentTarget: { value } }) => onOrder(ORDERS.find((one) => one === value) ?? order)}
        >
          <option value="worst">worst first</option>
          <option value="file">as in the battery</option>
        </select>
        {!isNoFilter(filter) && (
          <button type="button" class="link" onClick={() => onFilter(NO_FILTER)}>
            Clear filters
          </button>
        )}
      </div>
    </search>
  )
}

interface ChoiceProps {
  label: string
  names: readonly string[]
  chosen: number | null
  onChoose: (at: number | null) => void
}

function Choice({ label, names, chosen, onChoose }: ChoiceProps) {
  if (names.length < 2) return null
  return (
    <select
      aria-label={label}
      value={chosen === null ? "" : String(chosen)}
      onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
    >
      <option value="">{label}: all</option>
      {names.map((name, at) => (
        <option key={at} value={String(at)}>
          {name || "(no name)"}
        </option>
      ))}
    </select>
  )
}
