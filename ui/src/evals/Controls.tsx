import type { Ref } from "preact"
import { ALL, EVALS_ORDERS, isAll, type EvalsFilter, type EvalsOrder } from "../data/evalsFilter"
import { metricName, type EvalsIndex } from "../data/evals"
import { KINDS, KIND_NAMES, type Axes, type Counts, type Kind } from "../data/fields"
import { counted, whole } from "../data/words"
import { KindMark } from "./KindMark"

interface Asked {
  index: EvalsIndex
  filter: EvalsFilter
  onFilter: (filter: EvalsFilter) => void
  field: Ref<HTMLInputElement>
}

/** More values than this are nothing to choose from: a word finds them sooner. */
const MOST_VALUES = 100

/** Search and slices; a key with one value is not offered, nor one with very many. */
export function Controls({ index, filter, onFilter, field }: Asked) {
  const choose = (part: Partial<EvalsFilter>) => onFilter({ ...filter, ...part })
  const keys = Object.entries(index.rows.slices).filter(
    ([, { values }]) => values.length > 1 && values.length <= MOST_VALUES,
  )
  const sliced = (key: string, value: string) => {
    const { [key]: _, ...others } = filter.slices
    choose({ slices: value === "" ? others : { ...others, [key]: Number(value) } })
  }
  return (
    <search class="controls">
      <input
        ref={field}
        type="search"
        placeholder="Search questions, answers, passages"
        aria-label="Search questions, answers, passages"
        value={filter.words}
        onInput={(event) => choose({ words: event.currentTarget.value })}
      />
      {keys.map(([key, { values, of }]) => (
        <select
          key={key}
          aria-label={key}
          value={String(filter.slices[key] ?? "")}
          onChange={(event) => sliced(key, event.currentTarget.value)}
        >
          <option value="">{key}: all</option>
          {values.map((value, at) => (
            <option key={at} value={String(at)}>
              {value || "(empty)"}
            </option>
          ))}
          {of > values.length && (
            <option disabled>
              {counted(of - values.length, "value")} more, of answers that are not shown
            </option>
          )}
        </select>
      ))}
    </search>
  )
}

interface KindsAsked {
  filter: EvalsFilter
  onFilter: (filter: EvalsFilter) => void
  counts: Counts
  /** How many of those shown differ in a fact; null where the run did not compare facts. */
  differing: number | null
}

/** The kinds with their counts; a press shows only those. */
export function KindFilter({ filter, onFilter, counts, differing }: KindsAsked) {
  const toggled = (kind: Kind) => {
    const kinds = new Set(filter.kinds)
    if (!kinds.delete(kind)) kinds.add(kind)
    onFilter({ ...filter, kinds })
  }
  return (
    <div class="kinds" role="group" aria-label="Filter by field">
      {KINDS.filter((kind) => kind !== "na" || counts.na > 0).map((kind) => (
        <button
          key={kind}
          type="button"
          class={`chip kind-${kind}`}
          aria-pressed={filter.kinds.has(kind)}
          onClick={() => toggled(kind)}
        >
          <KindMark kind={kind} />
          <b>{whole(counts[kind])}</b> {KIND_NAMES[kind]}
        </button>
      ))}
      {differing !== null && (
        <button
          type="button"
          class="chip"
          aria-pressed={filter.differing}
          onClick={() => onFilter({ ...filter, differing: !filter.differing })}
        >
          <KindMark kind="good" hollow />
          <b>{whole(differing)}</b> hollow: a fact differs or is missing
        </button>
      )}
    </div>
  )
}

interface FoundAsked {
  index: EvalsIndex
  filter: EvalsFilter
  onFilter: (filter: EvalsFilter) => void
  found: number
  searching: boolean
  order: EvalsOrder
  onOrder: (order: EvalsOrder) => void
}

const ORDER_NAMES: Record<EvalsOrder, string> = {
  apart: "furthest apart first",
  lowest: "lowest across first",
  file: "as they were asked",
}

/** How many are listed, and in which order. */
export function Found({ index, filter, onFilter, found, searching, order, onOrder }: FoundAsked) {
  const total = index.rows.id.length
  return (
    <div class="found">
      <p role="status">
        {found === total ? `${whole(total)} listed` : `${whole(found)} of ${whole(total)} listed`}
        {searching && ", reading the texts …"}
      </p>
      {!isAll(filter) && (
        <button type="button" class="link" onClick={() => onFilter(ALL)}>
          Show all
        </button>
      )}
      <select
        aria-label="Order"
        value={order}
        onChange={({ currentTarget: { value } }) =>
          onOrder(EVALS_ORDERS.find((one) => one === value) ?? order)
        }
      >
        {EVALS_ORDERS.map((one) => (
          <option key={one} value={one}>
            {ORDER_NAMES[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface LinesAsked {
  index: EvalsIndex
  axes: Axes
  onAxes: (axes: Axes) => void
}

/** Which metric goes where, and from which line on it is high. */
export function Lines({ index, axes, onAxes }: LinesAsked) {
  const { metrics } = index
  const { across, upwards, lines } = axes
  return (
    <div class="lines">
      <Line
        {...{ index }}
        side="Across"
        metric={across}
        line={lines[0]}
        onMetric={(at) => onAxes({ ...axes, across: at, lines: [metrics[at]!.line, lines[1]] })}
        onLine={(line) => onAxes({ ...axes, lines: [line, lines[1]] })}
      />
      <Line
        {...{ index }}
        side="Upwards"
        metric={upwards}
        line={lines[1]}
        onMetric={(at) => onAxes({ ...axes, upwards: at, lines: [lines[0], metrics[at]!.line] })}
        onLine={(line) => onAxes({ ...axes, lines: [lines[0], line] })}
      />
    </div>
  )
}

interface LineAsked {
  index: EvalsIndex
  side: string
  metric: number
  line: number
  onMetric: (at: number) => void
  onLine: (line: number) => void
}

function Line({ index, side, metric, line, onMetric, onLine }: LineAsked) {
  return (
    <div class="line-of">
      <select
        aria-label={side}
        value={String(metric)}
        onChange={({ currentTarget: { value } }) => onMetric(Number(value))}
      >
        {index.metrics.map((_, at) => (
          <option key={at} value={String(at)}>
            {metricName(index.metrics, at)}
          </option>
        ))}
      </select>
      <label>
        <span>high from</span>
        <input
          type="range"
          min="0"
          max="1"
          step="0.01"
          value={String(line)}
          aria-label={`${side}: high from`}
          onInput={({ currentTarget: { value } }) => onLine(Number(value))}
        />
        <b aria-hidden="true">{line.toFixed(2)}</b>
      </label>
    </div>
  )
}
