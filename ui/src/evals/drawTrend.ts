import { areaY, axisX, axisY, dot, gridY, line, plot, ruleX } from "@observablehq/plot"
import { chartHeight } from "../components/Chart"
import type { TrendPoint } from "../data/evals"

/** The means of one metric by run; a run without scores is a gap. */
export function drawTrend(points: TrendPoint[], width: number): Element {
  const indexed = points.map((point, at) => ({ ...point, at }))
  const withMean = indexed.filter(({ mean }) => mean !== null)
  const withInterval = withMean.filter(({ low, high }) => low !== null && high !== null)
  const edges = withMean.flatMap(({ mean, low, high }) => [mean!, low ?? mean!, high ?? mean!])
  const every = Math.ceil(points.length / Math.max(2, Math.floor(width / 44)))
  const labelChars = Math.floor((((width - 52) / points.length) * every) / 6.4)
  return plot({
    width,
    height: chartHeight(width, 180, 300, 0.55),
    marginLeft: 40,
    marginRight: 12,
    marginTop: 10,
    marginBottom: 24,
    style: { background: "none", color: "inherit", fontSize: "11px", fontFamily: "inherit" },
    x: { domain: [-0.3, points.length - 0.7] },
    y: { domain: [Math.min(0, ...edges), Math.max(1, ...edges)] },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1, ticks: 4 }),
      axisY({ ticks: 4, tickSize: 0, label: null }),
      axisX({
        ticks: indexed.filter(({ at }) => at % every === 0).map(({ at }) => at),
        tickSize: 0,
        label: null,
        tickFormat: (at: number) => (points[at] ? shortName(points[at], labelChars) : ""),
      }),
      areaY(withInterval, { x: "at", y1: "low", y2: "high", fill: "var(--good)", fillOpacity: 0.13 }),
      ruleX(withInterval, { x: "at", y1: "low", y2: "high", stroke: "var(--good)", strokeWidth: 1.75 }),
      line(indexed, { x: "at", y: (point) => point.mean ?? NaN, stroke: "var(--good)", strokeWidth: 2 }),
      dot(withMean, {
        x: "at",
        y: "mean",
        r: 3.6,
        fill: "var(--good)",
        stroke: "var(--ground)",
        strokeWidth: 1.25,
      }),
    ],
  })
}

/** The name of a run, truncated to a number of characters; its number, if that is too short. */
export function shortName({ run, name }: Pick<TrendPoint, "run" | "name">, maxChars: number): string {
  if (!name || maxChars < 4) return String(run)
  return name.length <= maxChars ? name : `${name.slice(0, maxChars - 1)}…`
}
