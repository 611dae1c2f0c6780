import { headlineFirst, metricName, type EvalsIndex, type SliceKey } from "../data/evals"
import { plural, integer } from "../data/format"
import { ScrollTable } from "../components/ScrollTable"
import { MetricName } from "./MetricName"
import { valueOrNa } from "./QuadrantChart"

const MIN_QUESTIONS = 20

/** The means of every slice. */
export function Slices({ index }: { index: EvalsIndex }) {
  return (
    <section class="card" id="slices">
      <h2>Slices</h2>
      {index.slices.map((slice) => (
        <Slice key={slice.key} index={index} slice={slice} />
      ))}
      <p class="small below">
        Means over the answers of a slice; the bar is from 0 to 1. A slice with fewer than {MIN_QUESTIONS}{" "}
        questions is marked <span class="few">few</span>: its mean is uncertain.
      </p>
    </section>
  )
}

/** Metrics per table; the headline metrics are in the first table, the others in further ones. */
const METRICS_PER_TABLE = 6

function Slice({ index, slice }: { index: EvalsIndex; slice: SliceKey }) {
  const { key, others } = slice
  const tables = tablesOf(index)
  return (
    <>
      {tables.map((columns, at) => (
        <ScrollTable key={at} label={at ? `By ${key}, ${at + 1}` : `By ${key}`}>
          <Means {...{ index, slice, columns }} />
        </ScrollTable>
      ))}
      {others > 0 && (
        <p class="small below">
          And {plural(others, "more value", "more values")} of {key}.
        </p>
      )}
    </>
  )
}

/** The indexes of the metrics, table by table. */
export function tablesOf({ metrics }: Pick<EvalsIndex, "metrics">): number[][] {
  const order = headlineFirst(metrics)
  const tableCount = Math.ceil(order.length / METRICS_PER_TABLE)
  return Array.from({ length: tableCount }, (_, at) =>
    order.slice(at * METRICS_PER_TABLE, (at + 1) * METRICS_PER_TABLE),
  )
}

interface MeansProps {
  index: EvalsIndex
  slice: SliceKey
  columns: number[]
}

function Means({ index, slice: { key, values }, columns }: MeansProps) {
  return (
    <>
      <thead>
        <tr>
          <th>{key}</th>
          <th class="figure">questions</th>
          {columns.map((at) => (
            <th key={at} class="figure metric-column">
              <MetricName name={metricName(index.metrics, at)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {values.map(({ value, questions, means }) => (
          <tr key={value}>
            <th scope="row" dir="auto">
              {value || "(empty)"} {questions < MIN_QUESTIONS && <span class="few">few</span>}
            </th>
            <td class="figure">{integer(questions)}</td>
            {columns.map((at) => (
              <Mean key={at} mean={means[at] ?? null} />
            ))}
          </tr>
        ))}
      </tbody>
    </>
  )
}

function Mean({ mean }: { mean: number | null }) {
  return (
    <td class="figure">
      {valueOrNa(mean)}
      <span class="mean-bar" aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(1, mean ?? 0)) * 100}%` }} />
      </span>
    </td>
  )
}
