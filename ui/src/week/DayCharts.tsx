import { axisX, axisY, dot, gridY, line, plot } from "@observablehq/plot"
import { Chart } from "../components/Chart"
import { duration, integer, percent } from "../data/format"
import { weekday, type Day, type WeekFacts } from "../data/week"

interface Series {
  title: string
  key: "validation_success_rate" | "avg_similarity_score" | "latency_validation_p95_ms"
  text: (value: number) => string
}

const SERIES: Series[] = [
  { title: "success rate", key: "validation_success_rate", text: percent },
  { title: "average similarity", key: "avg_similarity_score", text: (value) => value.toFixed(2) },
  { title: "latency (p95)", key: "latency_validation_p95_ms", text: duration },
]

interface Drawn extends Series {
  week: Day[]
  before: Day[]
}

/** Each figure by day, both weeks on top of each other. */
export function DayCharts({ week, before }: { week: WeekFacts; before: WeekFacts }) {
  return (
    <section class="card">
      <h2>By day</h2>
      <p class="legend small">
        <span class="key key-now">this week</span>
        <span class="key key-before">week before</span>
      </p>
      <div class="week-charts">
        {SERIES.map((series) => (
          <figure key={series.key}>
            <figcaption>{series.title}</figcaption>
            <Chart
              data={{ ...series, week: week.days, before: before.days }}
              draw={drawDays}
              label={`${series.title} by day: ${spoken(series, week.days)}; week before: ${spoken(series, before.days)}`}
            />
          </figure>
        ))}
      </div>
      <details>
        <summary>Data as a table</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>day</th>
                <th class="figure">messages</th>
                {SERIES.map(({ key, title }) => (
                  <th class="figure" key={key}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...before.days, ...week.days].map((day) => (
                <tr key={day.day}>
                  <th scope="row">
                    {weekday(day.day)} {day.day}
                  </th>
                  <td class="figure">{integer(day.messages)}</td>
                  {SERIES.map(({ key, text }) => (
                    <td class="figure" key={key}>
                      {day[key] === null ? "–" : text(day[key])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

const spoken = ({ key, text }: Series, days: readonly Day[]) =>
  days.map((day) => `${weekday(day.day)} ${day[key] === null ? "none" : text(day[key])}`).join(", ")

function drawDays({ key, text, week, before }: Drawn, width: number): Element {
  const points = (days: readonly Day[]) => days.map((day, at) => ({ at, value: day[key] ?? NaN }))
  const [now, then] = [points(week), points(before)]
  const values = [...now, ...then].map(({ value }) => value).filter((value) => !Number.isNaN(value))
  const [least, most] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)]
  const isShare = key !== "latency_validation_p95_ms"
  const margin = Math.max((most - least) * 0.15, isShare ? 0.02 : 1)
  const domain = values.length
    ? [isShare ? Math.max(0, least - margin) : 0, isShare ? Math.min(1, most + margin) : most + margin]
    : [0, 1]
  const dots = (some: typeof now) => some.filter(({ value }) => !Number.isNaN(value))
  return plot({
    width,
    height: 170,
    marginLeft: 52,
    marginRight: 12,
    marginTop: 10,
    marginBottom: 22,
    style: { background: "none", color: "inherit", fontSize: "11px", fontFamily: "inherit" },
    x: { domain: [-0.25, week.length - 0.75] },
    y: { domain },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1, ticks: 4 }),
      axisY({ ticks: 4, tickSize: 0, label: null, tickFormat: text }),
      axisX({
        ticks: week.map((_, at) => at),
        tickSize: 0,
        label: null,
        tickFormat: (at: number) => (week[at] ? weekday(week[at].day) : ""),
      }),
      line(then, { x: "at", y: "value", stroke: "var(--soft)", strokeWidth: 1.5, strokeDasharray: "4 3" }),
      dot(dots(then), { x: "at", y: "value", r: 2, fill: "var(--soft)" }),
      line(now, { x: "at", y: "value", stroke: "var(--good)", strokeWidth: 2 }),
      dot(dots(now), { x: "at", y: "value", r: 3.6, fill: "var(--good)", stroke: "var(--ground)" }),
    ],
  })
}
