import { axisX, axisY, gridY, plot, rectY, ruleX, ruleY } from "@observablehq/plot"
import { Chart, chartHeight } from "../components/Chart"
import { OutcomeBar } from "../components/OutcomeBar"
import { ScrollTable } from "../components/ScrollTable"
import { integer, percent, plural } from "../data/format"
import { OUTCOMES } from "../data/outcome"
import type { MetricFigures, RunHead, SliceFigures, SummaryReply } from "./api"
import { metricValue } from "./parts"
import type { SetParams } from "./route"

interface Props {
  summary: SummaryReply
  run: RunHead
  setParams: SetParams
}

/** The figures of the rows that match: metrics with their distributions, and slices. */
export function Figures({ summary, run, setParams }: Props) {
  if (!summary.rows) return <p class="empty">There is nothing to sum up: no row matches these filters.</p>
  const charted = summary.metrics.filter(hasSpread)
  return (
    <>
      {!summary.indexed && (
        <p class="notice" role="status">
          These are figures of the first {integer(summary.rows)} rows; all {integer(summary.of)} are being
          read.
        </p>
      )}
      <section class="card">
        <h2>Metrics of {plural(summary.rows, "row")}</h2>
        <ScrollTable label="Metrics">
          <thead>
            <tr>
              <th>metric</th>
              <th class="figure">mean</th>
              <th class="figure">95% interval</th>
              <th class="figure">n</th>
              <th class="figure">n/a</th>
            </tr>
          </thead>
          <tbody>
            {summary.rate && (
              <tr>
                <th scope="row">passed</th>
                <td class="figure">{percent(summary.rate.value)}</td>
                <td class="figure">
                  {percent(summary.rate.low)} to {percent(summary.rate.high)}
                </td>
                <td class="figure">{integer(summary.rate.n)}</td>
                <td class="figure">{integer(summary.rows - summary.rate.n)}</td>
              </tr>
            )}
            {summary.metrics.map((one) => (
              <tr key={`${one.metric} ${one.encoder}`}>
                <th scope="row">
                  {one.metric} {one.encoder && <small>{one.encoder}</small>}
                </th>
                <td class="figure">{metricValue(one.metric, one.mean)}</td>
                <td class="figure">
                  {one.low === null || one.n < 2
                    ? "n/a"
                    : `${metricValue(one.metric, one.low)} to ${metricValue(one.metric, one.high)}`}
                </td>
                <td class="figure">{integer(one.n)}</td>
                <td class="figure">{integer(one.na)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
        {charted.length > 0 && (
          <div class="chart-grid">
            {charted.map((one) => (
              <figure key={`${one.metric} ${one.encoder}`}>
                <figcaption>
                  {one.metric} {one.encoder && <small>{one.encoder}</small>}
                </figcaption>
                <Chart data={one} draw={drawBins} label={describe(one)} class="chart" />
              </figure>
            ))}
          </div>
        )}
      </section>
      {summary.slices
        .filter(({ values }) => values.length > 1)
        .map((slice) => (
          <SliceTable key={slice.key} slice={slice} run={run} setParams={setParams} />
        ))}
    </>
  )
}

function SliceTable({ slice, run, setParams }: { slice: SliceFigures; run: RunHead; setParams: SetParams }) {
  const judged = slice.values.some(({ rate }) => rate)
  const measured = slice.values.some(({ mean }) => mean !== null)
  return (
    <section class="card">
      <h2>By {slice.key}</h2>
      <ScrollTable label={`Rows by ${slice.key}`}>
        <thead>
          <tr>
            <th>{slice.key}</th>
            {judged && <th class="wide">outcomes</th>}
            {judged && <th class="figure">passed</th>}
            {judged && <th class="figure">95% interval</th>}
            {measured && <th class="figure">{run.kind === "suite" ? "mean score" : "mean"}</th>}
            <th class="figure">rows</th>
          </tr>
        </thead>
        <tbody>
          {slice.values.map(({ value, rows, counts, rate, mean }) => (
            <tr key={value}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  onClick={() => setParams({ [`slice.${slice.key}`]: value })}
                >
                  <span dir="auto">{value || "(empty)"}</span>
                </button>
              </th>
              {judged && (
                <td class="wide">
                  <OutcomeBar counts={counts} />
                </td>
              )}
              {judged && <td class="figure">{rate ? percent(rate.value) : "n/a"}</td>}
              {judged && (
                <td class="figure">{rate ? `${percent(rate.low)} to ${percent(rate.high)}` : "n/a"}</td>
              )}
              {measured && <td class="figure">{metricValue("", mean)}</td>}
              <td class="figure">{integer(rows)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {slice.others > 0 && <p class="small below">{plural(slice.others, "rarer value")} not shown.</p>}
    </section>
  )
}

/** Whether a chart says more than the mean: not for a single value, and not for 0 and 1 alone. */
function hasSpread({ bins, n }: MetricFigures): boolean {
  const used = new Set(
    Object.values(bins).flatMap((counts) => counts.flatMap((count, at) => (count ? [at] : []))),
  )
  return n > 1 && used.size > 2
}

function drawBins({ from, to, bins, mean }: MetricFigures, width: number): Element {
  const bars = OUTCOMES.flatMap((outcome) =>
    (bins[outcome] ?? []).map((count, at, all) => ({
      outcome,
      count,
      from: from + ((to - from) * at) / all.length,
      to: from + ((to - from) * (at + 1)) / all.length,
    })),
  ).filter(({ count }) => count > 0)
  return plot({
    width,
    height: chartHeight(width, 150, 220, 0.45),
    marginLeft: 44,
    marginTop: 8,
    marginBottom: 22,
    style: { background: "none", color: "inherit", fontSize: "11px", fontFamily: "inherit" },
    x: { domain: [from, to], label: null },
    y: { label: null, nice: true },
    color: { domain: [...OUTCOMES], range: OUTCOMES.map((outcome) => `var(--${outcome}-fill)`) },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1, ticks: 4 }),
      axisY({
        ticks: 4,
        tickSize: 0,
        label: null,
        tickFormat: (count: number) => (Number.isInteger(count) ? integer(count) : ""),
      }),
      axisX({ ticks: 5, tickSize: 0, label: null }),
      rectY(bars, { x1: "from", x2: "to", y: "count", fill: "outcome", inset: 0.5, rx: 1 }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      mean === null
        ? null
        : ruleX([mean], { stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "4 3" }),
    ],
  })
}

function describe({ metric, n, mean, bins }: MetricFigures): string {
  const outcomes = OUTCOMES.filter((outcome) => bins[outcome]).join(", ")
  return `Histogram of ${plural(n, "number")} of ${metric} by outcome (${outcomes}); the mean is ${metricValue(metric, mean)}`
}
