import { headlineFirst, type TrendPoint } from "../data/evals"
import { signed } from "../data/ticks"
import { decimals, counted } from "../data/words"
import { chanceOf } from "../data/effects"
import { Picture } from "../pieces/Picture"
import { Scroll } from "../pieces/Scroll"
import { drawTrend } from "./drawTrend"
import { known } from "./Quadrant"

/** How every metric went from run to run. */
export function Trends({ trend, run }: { trend: TrendPoint[]; run: number }) {
  const series = seriesOf(trend)
  return (
    <section class="card" id="trend">
      <h2>From run to run</h2>
      <div class="spreads trends">
        {[...series].map(([name, points]) => (
          <figure key={name}>
            <figcaption>{name}</figcaption>
            <Picture of={points} draw={drawTrend} said={inWords(name, points)} class="picture" />
          </figure>
        ))}
      </div>
      <details>
        <summary>The same as a table</summary>
        <Scroll of="From run to run">
          <thead>
            <tr>
              <th>metric</th>
              <th class="figure">run</th>
              <th>when</th>
              <th class="figure">mean</th>
              <th class="figure">95% interval</th>
              <th class="figure">n</th>
              <th class="figure">n/a</th>
              <th class="figure">change</th>
              <th class="figure">adjusted p</th>
            </tr>
          </thead>
          <tbody>
            {[...series].flatMap(([name, points]) =>
              points.map((point, at) => (
                <tr key={`${name} ${at}`} class={point.run === run ? "claimed" : ""}>
                  <th scope="row">{name}</th>
                  <td class="figure">{point.run}</td>
                  <td class="when">{point.at.slice(0, 10)}</td>
                  <td class="figure">{known(point.mean)}</td>
                  <td class="figure">
                    {point.low === null || point.high === null
                      ? "n/a"
                      : `${decimals(point.low)} to ${decimals(point.high)}`}
                  </td>
                  <td class="figure">{point.n}</td>
                  <td class="figure">{point.na}</td>
                  <td class="figure">{point.change == null ? "–" : signed(point.change)}</td>
                  <td class="figure">{point.adjusted == null ? "–" : chanceOf(point.adjusted)}</td>
                </tr>
              )),
            )}
          </tbody>
        </Scroll>
      </details>
      <p class="small below">
        Each mark is the mean of one run, with its 95% interval. Intervals of two runs may overlap and the
        change still be real, since the questions are the same: the table tells the change over the questions
        of both, with the chance of it among all changes.
      </p>
    </section>
  )
}

/** The points of each metric, by its name, in the order of time; the headline first. */
export function seriesOf(trend: readonly TrendPoint[]): Map<string, TrendPoint[]> {
  const encoders = new Map<string, Set<string>>()
  for (const { metric, encoder } of trend)
    encoders.set(metric, (encoders.get(metric) ?? new Set()).add(encoder ?? ""))
  const series = new Map<string, TrendPoint[]>()
  for (const point of trend) {
    const several = encoders.get(point.metric)!.size > 1
    const name = several && point.encoder ? `${point.metric} · ${point.encoder}` : point.metric
    series.set(name, [...(series.get(name) ?? []), point])
  }
  const all = [...series]
  return new Map(headlineFirst(all.map(([, [first]]) => first!)).map((at) => all[at]!))
}

function inWords(name: string, points: readonly TrendPoint[]): string {
  const told = points.map(({ run, mean }) => `run ${run} ${known(mean)}`)
  return `${name} over ${counted(points.length, "run")}: ${told.join(", ")}`
}
