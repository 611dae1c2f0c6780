import { metricName, type EvalsIndex, type SliceKey } from "../data/evals"
import { counted, whole } from "../data/words"
import { Scroll } from "../pieces/Scroll"
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

function Slice({ index, slice: { key, values, others } }: { index: EvalsIndex; slice: SliceKey }) {
  return (
    <>
      <Scroll of={`By ${key}`}>
        <thead>
          <tr>
            <th>{key}</th>
            <th class="figure">questions</th>
            {index.metrics.map((_, at) => (
              <th key={at} class="figure">
                {metricName(index.metrics, at)}
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
              {means.map((mean, at) => (
                <td key={at} class="figure">
                  {known(mean)}
                  <span class="under" aria-hidden="true">
                    <span style={{ width: `${Math.max(0, Math.min(1, mean ?? 0)) * 100}%` }} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Scroll>
      {others > 0 && (
        <p class="small below">
          And {counted(others, "value")} of {key} more.
        </p>
      )}
    </>
  )
}
