import { headlineFirst, metricName, type EvalsIndex, type Distribution } from "../data/evals"
import { plural, decimals, integer } from "../data/format"
import { Chart } from "../components/Chart"
import { ScrollTable } from "../components/ScrollTable"
import { CodeText } from "../components/CodeText"
import { drawHistogram } from "./drawHistogram"
import { interval } from "./Header"

/** All metrics of the run: mean, interval, missing scores with reasons, and distribution. */
export function Metrics({ index }: { index: EvalsIndex }) {
  const { metrics } = index
  const order = headlineFirst(metrics)
  return (
    <section class="card" id="metrics">
      <h2>All metrics</h2>
      <ScrollTable label="All metrics">
        <thead>
          <tr>
            <th>metric</th>
            <th class="figure">mean</th>
            <th class="figure">95% interval</th>
            <th class="figure">n</th>
            <th class="figure">n/a</th>
            <th>why n/a</th>
          </tr>
        </thead>
        <tbody>
          {order.map((at) => (
            <Row key={at} name={metricName(metrics, at)} distribution={metrics[at]!} />
          ))}
        </tbody>
      </ScrollTable>
      <div class="chart-grid">
        {order.map((at) => (
          <figure key={at}>
            <figcaption>{metricName(metrics, at)}</figcaption>
            <Chart data={metrics[at]!} draw={drawHistogram} label={describeChart(metrics[at]!)} />
          </figure>
        ))}
      </div>
      <p class="small below">
        The bars count answers by score; n/a is the hatched bar on the right. The mark below the axis is the
        mean. Each interval is a 95% interval of one mean.
      </p>
    </section>
  )
}

function Row({ name, distribution }: { name: string; distribution: Distribution }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="figure">{distribution.mean === null ? "n/a" : decimals(distribution.mean)}</td>
      <td class="figure">{distribution.mean === null ? "n/a" : interval(distribution)}</td>
      <td class="figure">{integer(distribution.n)}</td>
      <td class="figure">{integer(distribution.na)}</td>
      <td class="why">
        <CodeText text={whyMissing(distribution)} />
      </td>
    </tr>
  )
}

/** The number of missing scores by reason; where scoring failed, also the most frequent error. */
export function whyMissing({ missing, because }: Distribution): string {
  const counts = Object.entries(missing).map(([why, count]) => `${why}: ${integer(count)}`)
  if (because && !(because in missing)) counts.push(`most often: ${because}`)
  return counts.join("; ")
}

export function describeChart({ metric, counts, from, to, na, mean }: Distribution): string {
  const step = (to - from) / counts.length
  const most = counts.indexOf(Math.max(...counts))
  const hasScores = counts.some(Boolean)
  const peak = hasScores
    ? `most often from ${decimals(from + most * step)} to ${decimals(from + (most + 1) * step)}, mean ${decimals(mean!)}`
    : "no scores"
  return `Histogram of ${metric}: ${peak}; ${plural(na, "answer")} n/a`
}
