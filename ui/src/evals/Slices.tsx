import { headlineFirst, metricName, type EvalsIndex, type SliceKey } from "../data/evals"
import { counted, whole } from "../data/words"
import { Scroll } from "../pieces/Scroll"
import { MetricName } from "./MetricName"
import { known } from "./Quadrant"

const FEW = 20

/** The means of every kind of question. */
export function Slices({ index }: { index: EvalsIndex }) {
  return (
    <section class="card" id="slices">
      <h2>By kind of question</h2>
      {index.slices.map((slice) => (
        <Slice key={slice.key} index={index} slice={slice} />
      ))}
      <p class="small below">
        Means over the answers of a slice; the bar reaches from 0 to 1. A slice with fewer than {FEW}{" "}
        questions is marked <span class="few">few</span>: what it shows may be chance.
      </p>
    </section>
  )
}

/** A page is as wide as so many metrics: the headline stands in the first table, the others in those below. */
const WIDE = 6

function Slice({ index, slice }: { index: EvalsIndex; slice: SliceKey }) {
  const { key, others } = slice
  const tables = tablesOf(index)
  return (
    <>
      {tables.map((columns, at) => (
        <Scroll key={at} of={at ? `By ${key}, ${at + 1}` : `By ${key}`}>
          <Means {...{ index, slice, columns }} />
        </Scroll>
      ))}
      {others > 0 && (
        <p class="small below">
          And {counted(others, "value")} of {key} more.
        </p>
      )}
    </>
  )
}

/** The numbers of the metrics, table by table. */
export function tablesOf({ metrics }: Pick<EvalsIndex, "metrics">): number[][] {
  const order = headlineFirst(metrics)
  const many = Math.ceil(order.length / WIDE)
  return Array.from({ length: many }, (_, at) => order.slice(at * WIDE, (at + 1) * WIDE))
}

interface MeansAsked {
  index: EvalsIndex
  slice: SliceKey
  columns: number[]
}

function Means({ index, slice: { key, values }, columns }: MeansAsked) {
  return (
    <>
      <thead>
        <tr>
          <th>{key}</th>
          <th class="figure">questions</th>
          {columns.map((at) => (
            <th key={at} class="figure mean-of">
              <MetricName name={metricName(index.metrics, at)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {values.map(({ value, questions, means }) => (
          <tr key={value}>
            <th scope="row" dir="auto">
              {value || "(empty)"} {questions < FEW && <span class="few">few</span>}
            </th>
            <td class="figure">{whole(questions)}</td>
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
      {known(mean)}
      <span class="under" aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(1, mean ?? 0)) * 100}%` }} />
      </span>
    </td>
  )
}
