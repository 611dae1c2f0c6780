import type { Ref } from "preact"
import {
  NO_PAIR_FILTER,
  PAIR_ORDERS,
  isNoPairFilter,
  type PairFilter,
  type PairOrder,
} from "../data/evalsFilter"
import { metricName, type EvalsIndex } from "../data/evals"
import { KINDS, KIND_NAMES, type Axes, type Counts, type Kind } from "../data/kinds"
import { plural, integer } from "../data/format"
import { KindMark } from "./KindMark"

interface Props {
  index: EvalsIndex
  filter: PairFilter
  onFilter: (filter: PairFilter) => void
  field: Ref<HTMLInputElement>
}

/** A key with more values than this has no select; the search finds them. */
const MAX_VALUES = 100

/** Search and slices; a key with one value, or with very many, is not shown. */
export function Controls({ index, filter, onFilter, field }: Props) {
  const choose = (part: Partial<PairFilter>) => onFilter({ ...filter, ...part })
  const keys = Object.entries(index.rows.slices).filter(
    ([, { values }]) => values.length > 1 && values.length <= MAX_VALUES,
  )
  const chooseSlice = (key: string, value: string) => {
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
        value={filter.query}
        onInput={(event) => choose({ query: event.currentTarget.value })}
      />
      {keys.map(([key, { values, of }]) => (
        <select
          key={key}
          aria-label={key}
          value={String(filter.slices[key] ?? "")}
          onChange={(event) => chooseSlice(key, event.currentTarget.value)}
        >
          <option value="">{key}: all</option>
          {values.map((value, at) => (
            <option key={at} value={String(at)}>
              {value || "(empty)"}
            </option>
          ))}
          {of > values.length && (
            <option disabled>
              {plural(of - values.length, "more value", "more values")} of answers that are not shown
            </option>
          )}
        </select>
      ))}
    </search>
  )
}

interface KindsProps {
  filter: PairFilter
  onFilter: (filter: PairFilter) => void
  counts: Counts
  /** Number of answers with a differing fact; null if the run did not compare facts. */
  differing: number | null
}

/** The kinds with their counts; a click filters by one. */
export function KindFilter({ filter, onFilter, counts, differing }: KindsProps) {
  const toggleKind = (kind: Kind) => {
    const kinds = new Set(filter.kinds)
    if (!kinds.delete(kind)) kinds.add(kind)
    onFilter({ ...filter, kinds })
  }
  return (
    <div class="kinds" role="group" aria-label="Filter by kind">
      {KINDS.filter((kind) => kind !== "na" || counts.na > 0).map((kind) => (
        <button
          key={kind}
          type="button"
          class={`chip kind-${kind}`}
          aria-pressed={filter.kinds.has(kind)}
          onClick={() => toggleKind(kind)}
        >
          <KindMark kind={kind} />
          <b>{integer(counts[kind])}</b> {KIND_NAMES[kind]}
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
          <b>{integer(differing)}</b> hollow: a fact differs or is missing
        </button>
      )}
    </div>
  )
}

interface ListHeaderProps {
  index: EvalsIndex
  filter: PairFilter
  onFilter: (filter: PairFilter) => void
  matchCount: number
  searching: boolean
  order: PairOrder
  onOrder: (order: PairOrder) => void
}

const ORDER_NAMES: Record<PairOrder, string> = {
  difference: "largest difference first",
  lowest: "lowest on the x-axis first",
  file: "question order",
}

/** The number of listed answers, and their order. */
export function ListHeader({
  index,
  filter,
  onFilter,
  matchCount,
  searching,
  order,
  onOrder,
}: ListHeaderProps) {
  const total = index.rows.id.length
  return (
    <div class="list-status">
      <p role="status">
        {matchCount === total
          ? `${integer(total)} listed`
          : `${integer(matchCount)} of ${integer(total)} listed`}
        {searching && ", searching the texts …"}
      </p>
      {!isNoPairFilter(filter) && (
        <button type="button" class="link" onClick={() => onFilter(NO_PAIR_FILTER)}>
          Clear filters
        </button>
      )}
      <select
        aria-label="Order"
        value={order}
        onChange={({ currentTarget: { value } }) =>
          onOrder(PAIR_ORDERS.find((one) => one === value) ?? order)
        }
      >
        {PAIR_ORDERS.map((one) => (
          <option key={one} value={one}>
            {ORDER_NAMES[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

interface AxisControlsProps {
  index: EvalsIndex
  axes: Axes
  onAxes: (axes: Axes) => void
}

/** The metrics of the axes, and the cutoffs from which they count as high. */
export function AxisControls({ index, axes, onAxes }: AxisControlsProps) {
  const { metrics } = index
  const { across, upwards, cutoffs } = axes
  return (
    <div class="axis-controls">
      <AxisControl
        {...{ index }}
        axis="x-axis"
        metric={across}
        cutoff={cutoffs[0]}
        onMetric={(at) => onAxes({ ...axes, across: at, cutoffs: [metrics[at]!.line, cutoffs[1]] })}
        onCutoff={(cutoff) => onAxes({ ...axes, cutoffs: [cutoff, cutoffs[1]] })}
      />
      <AxisControl
        {...{ index }}
        axis="y-axis"
        metric={upwards}
        cutoff={cutoffs[1]}
        onMetric={(at) => onAxes({ ...axes, upwards: at, cutoffs: [cutoffs[0], metrics[at]!.line] })}
        onCutoff={(cutoff) => onAxes({ ...axes, cutoffs: [cutoffs[0], cutoff] })}
      />
    </div>
  )
}

interface AxisControlProps {
  index: EvalsIndex
  axis: string
  metric: number
  cutoff: number
  onMetric: (at: number) => void
  onCutoff: (cutoff: number) => void
}

function AxisControl({ index, axis, metric, cutoff, onMetric, onCutoff }: AxisControlProps) {
  return (
    <div class="axis-control">
      <select
        aria-label={axis}
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
          value={String(cutoff)}
          aria-label={`${axis}: high from`}
          onInput={({ currentTarget: { value } }) => onCutoff(Number(value))}
        />
        <b aria-hidden="true">{cutoff.toFixed(2)}</b>
      </label>
    </div>
  )
}
