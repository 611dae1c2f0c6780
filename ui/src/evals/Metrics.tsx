import { headlineFirst, metricName, type EvalsIndex, type Spread } from "../data/evals"
import { counted, decimals, whole } from "../data/words"
import { Picture } from "../pieces/Picture"
import { Scroll } from "../pieces/Scroll"
import { Ticked } from "../pieces/Ticked"
import { drawSpread } from "./drawSpread"
import { interval } from "./Head"

/** All metrics of the run: mean, interval, what is missing and why, and how the numbers lie. */
export function Metrics({ index }: { index: EvalsIndex }) {
  const { metrics } = index
  const order = headlineFirst(metrics)
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
          {order.map((at) => (
            <Row key={at} name={metricName(metrics, at)} spread={metrics[at]!} />
          ))}
        </tbody>
      </Scroll>
      <div class="spreads">
        {order.map((at) => (
          <figure key={at}>
            <figcaption>{metricName(metrics, at)}</figcaption>
            <Picture of={metrics[at]!} draw={drawSpread} said={inWords(metrics[at]!)} class="picture" />
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

function Row({ name, spread }: { name: string; spread: Spread }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="figure">{spread.mean === null ? "n/a" : decimals(spread.mean)}</td>
      <td class="figure">{spread.mean === null ? "n/a" : interval(spread)}</td>
      <td class="figure">{whole(spread.n)}</td>
      <td class="figure">{whole(spread.na)}</td>
      <td class="why">
        <Ticked text={whyMissing(spread)} />
      </td>
    </tr>
  )
}

/** How many for which reason; where reading failed, also what was wrong, if the run tells. */
export function whyMissing({ missing, because }: Spread): string {
  const counts = Object.entries(missing).map(([why, count]) => `${why}: ${whole(count)}`)
  if (because && !(because in missing)) counts.push(`most often: ${because}`)
  return counts.join("; ")
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
