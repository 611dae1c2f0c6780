import { metricName, type EvalsIndex, type Spread } from "../data/evals"
import { counted, decimals, whole } from "../data/words"
import { Picture } from "../pieces/Picture"
import { Scroll } from "../pieces/Scroll"
import { drawSpread } from "./drawSpread"
import { interval } from "./Head"

/** All metrics of the run: mean, interval, what is missing and why, and how the numbers lie. */
export function Metrics({ index }: { index: EvalsIndex }) {
  const { metrics } = index
  return (
    <section class="card" id="metrics">
      <h2>Every metric</h2>
      <Scroll of="Every metric">
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
          {metrics.map((spread, at) => (
            <tr key={at}>
              <th scope="row">{metricName(metrics, at)}</th>
              <td class="figure">{spread.mean === null ? "n/a" : decimals(spread.mean)}</td>
              <td class="figure">{spread.mean === null ? "n/a" : interval(spread)}</td>
              <td class="figure">{whole(spread.n)}</td>
              <td class="figure">{whole(spread.na)}</td>
              <td class="why">{whyMissing(spread)}</td>
            </tr>
          ))}
        </tbody>
      </Scroll>
      <div class="spreads">
        {metrics.map((spread, at) => (
          <figure key={at}>
            <figcaption>{metricName(metrics, at)}</figcaption>
            <Picture of={spread} draw={drawSpread} said={inWords(spread)} class="picture" />
          </figure>
        ))}
      </div>
      <p class="small below">
        Bars count answers by what was read; what is n/a stands apart, hatched, on the right. The mark below
        is the mean. The intervals are of the mean, and hold one by one.
      </p>
    </section>
  )
}

export function whyMissing({ missing }: Spread): string {
  return Object.entries(missing)
    .map(([why, count]) => `${why}: ${whole(count)}`)
    .join("; ")
}

export function inWords({ metric, counts, from, to, na, mean }: Spread): string {
  const step = (to - from) / counts.length
  const most = counts.indexOf(Math.max(...counts))
  const there = counts.some(Boolean)
  const peak = there
    ? `most often from ${decimals(from + most * step)} to ${decimals(from + (most + 1) * step)}, mean ${decimals(mean!)}`
    : "nothing was read"
  return `Histogram of ${metric}: ${peak}; ${counted(na, "answer")} n/a`
}
