import type { Ref } from "preact"
import { assertionName } from "../data/address"
import { EVERYTHING, isEverything, type Filter } from "../data/filter"
import { ORDERS, type Order } from "../data/order"
import type { Index } from "../data/run"
import { whole } from "../data/words"

interface Asked {
  index: Index
  filter: Filter
  onFilter: (filter: Filter) => void
  order: Order
  onOrder: (order: Order) => void
  found: number
  searching: boolean
  field: Ref<HTMLInputElement>
}

/** Search and choices; what a run has only one of is not offered. */
export function FilterBar({ index, filter, onFilter, order, onOrder, found, searching, field }: Asked) {
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
        value={filter.words}
        onInput={(event) => choose({ words: event.currentTarget.value })}
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
        chosen={filter.wording}
        onChoose={(wording) => choose({ wording })}
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
          names={["consistent", "inconsistent"]}
          chosen={filter.steadiness === null ? null : filter.steadiness === "steady" ? 0 : 1}
          onChoose={(at) => choose({ steadiness: at === null ? null : at === 0 ? "steady" : "unsteady" })}
        />
      )}
      <div class="found">
        <p role="status">
          {found === total ? `${whole(total)} listed` : `${whole(found)} of ${whole(total)} listed`}
          {searching && ", reading the texts …"}
        </p>
        <select
          aria-label="Order"
          value={order}
          onChange={({ currentTarget: { value } }) => onOrder(ORDERS.find((one) => one === value) ?? order)}
        >
          <option value="worst">worst first</option>
          <option value="file">as in the battery</option>
        </select>
        {!isEverything(filter) && (
          <button type="button" class="link" onClick={() => onFilter(EVERYTHING)}>
            Show all
          </button>
        )}
      </div>
    </search>
  )
}

interface ChoiceAsked {
  label: string
  names: readonly string[]
  chosen: number | null
  onChoose: (at: number | null) => void
}

function Choice({ label, names, chosen, onChoose }: ChoiceAsked) {
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
