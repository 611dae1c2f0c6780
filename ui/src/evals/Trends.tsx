import { headlineFirst, type TrendPoint } from "../data/evals"
import { signed } from "../data/ticks"
import { decimals, plural } from "../data/format"
import { formatPValue } from "../data/effects"
import { Chart } from "../components/Chart"
import { ScrollTable } from "../components/ScrollTable"
import { drawTrend } from "./drawTrend"
import { valueOrNa } from "./QuadrantChart"

/** The trend of every metric over the runs. */
export function Trends({ trend, run }: { trend: TrendPoint[]; run: number }) {
  const series = seriesOf(trend)
  return (
    <section class="card" id="trend">
      <h2>Trend</h2>
      <div class="chart-grid trends">
        {[...series].map(([name, points]) => (
          <figure key={name}>
            <figcaption>{name}</figcaption>
            <Chart data={points} draw={drawTrend} label={describeChart(name, points)} />
          </figure>
        ))}
      </div>
      <details>
        <summary>Data as a table</summary>
        <ScrollTable label="Trend">
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
                <tr key={`${name} ${at}`} class={point.run === run ? "current" : ""}>
                  <th scope="row">{name}</th>
                  <td class="figure">{point.run}</td>
                  <td class="when">{point.at.slice(0, 10)}</td>
                  <td class="figure">{valueOrNa(point.mean)}</td>
                  <td class="figure">
                    {point.low === null || point.high === null
                      ? "n/a"
                      : `${decimals(point.low)} to ${decimals(point.high)}`}
                  </td>
                  <td class="figure">{point.n}</td>
                  <td class="figure">{point.na}</td>
                  <td class="figure">{point.change == null ? "–" : signed(point.change)}</td>
                  <td class="figure">{point.adjusted == null ? "–" : formatPValue(point.adjusted)}</td>
                </tr>
              )),
            )}
          </tbody>
        </ScrollTable>
      </details>
      <p class="small below">
        Each mark is the mean of one run, with its 95% interval. The intervals of two runs may overlap
        although the change is significant, since the questions are the same: the table has the change over
        the questions of both runs, with its adjusted p.
      </p>
    </section>
  )
}

/** The points of each metric by its name, in order of time; the headline metrics first. */
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

function describeChart(name: string, points: readonly TrendPoint[]): string {
  const means = points.map(({ run, mean }) => `run ${run} ${valueOrNa(mean)}`)
  return `${name} over ${plural(points.length, "run")}: ${means.join(", ")}`
}
