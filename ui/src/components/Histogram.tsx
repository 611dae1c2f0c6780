import { axisX, axisY, gridY, plot, rect, rectY, ruleX, ruleY } from "@observablehq/plot"
import { domainOf } from "../data/domain"
import { integer } from "../data/format"
import { histogramBars, type Distribution } from "../data/histogram"
import { OUTCOMES } from "../data/outcome"
import { Chart, chartHeight } from "./Chart"

const MAX_CUTOFFS = 6

/** The distribution of scores by outcome, with the cutoff and its unsure band. */
export function Histogram({ distribution }: { distribution: Distribution }) {
  return <Chart data={distribution} draw={draw} label={describe(distribution)} class="histogram" />
}

function draw({ points, cutoffs }: Distribution, width: number): Element {
  const withBand = cutoffs.filter((cutoff) => cutoff.doubt)
  const domain = domainOf([...points.map(({ value }) => value), ...cutoffs.map(({ line }) => line)])
  return plot({
    width,
    height: chartHeight(width, 240, 320, 0.35),
    marginLeft: 44,
    marginTop: 26,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [...domain], label: null, ticks: 6 },
    y: { label: null, nice: true },
    color: { domain: [...OUTCOMES], range: OUTCOMES.map((outcome) => `var(--${outcome}-fill)`) },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1 }),
      axisY({
        ticks: 4,
        tickSize: 0,
        tickFormat: (count: number) => (Number.isInteger(count) ? integer(count) : ""),
      }),
      axisX({ ticks: 6, tickSize: 0 }),
      withBand.length === 1
        ? rect(withBand, {
            x1: (d) => d.doubt[0],
            x2: (d) => d.doubt[1],
            fill: "var(--unsure-fill)",
            fillOpacity: 0.14,
          })
        : null,
      rectY(histogramBars(points, domain), {
        x1: "from",
        x2: "to",
        y: "count",
        fill: "outcome",
        inset: 0.75,
        rx: 1,
      }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      cutoffs.length <= MAX_CUTOFFS
        ? ruleX(cutoffs, { x: "line", stroke: "var(--ink)", strokeWidth: 1.75, strokeDasharray: "4 3" })
        : null,
    ],
  })
}

function describe({ measure, points, cutoffs }: Distribution): string {
  const cutoffText =
    cutoffs.length <= MAX_CUTOFFS
      ? cutoffs.map((cutoff) => cutoff.words).join("; ")
      : `${cutoffs.length} different cutoffs`
  return `Histogram of ${points.length} scores of ${measure}; cutoff: ${cutoffText}`
}
