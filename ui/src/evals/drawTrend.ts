import { areaY, axisX, axisY, dot, gridY, line, plot, ruleX } from "@observablehq/plot"
import type { TrendPoint } from "../data/evals"

/** The means of one metric, run by run; a run in which nothing was read is a gap. */
export function drawTrend(points: TrendPoint[], width: number): Element {
  const held = points.map((point, at) => ({ ...point, at }))
  const known = held.filter(({ mean }) => mean !== null)
  const spans = known.filter(({ low, high }) => low !== null && high !== null)
  const edges = known.flatMap(({ mean, low, high }) => [mean!, low ?? mean!, high ?? mean!])
  const every = Math.ceil(points.length / Math.max(2, Math.floor(width / 44)))
  const room = Math.floor((((width - 52) / points.length) * every) / 6.4)
  return plot({
    width,
    height: 150,
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
        ticks: held.filter(({ at }) => at % every === 0).map(({ at }) => at),
        tickSize: 0,
        label: null,
        tickFormat: (at: number) => (points[at] ? shortName(points[at], room) : ""),
      }),
      areaY(spans, { x: "at", y1: "low", y2: "high", fill: "var(--good)", fillOpacity: 0.13 }),
      ruleX(spans, { x: "at", y1: "low", y2: "high", stroke: "var(--good)", strokeWidth: 1.75 }),
      line(held, { x: "at", y: (point) => point.mean ?? NaN, stroke: "var(--good)", strokeWidth: 2 }),
      dot(known, {
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

/** What a run is called, as far as there is room for so many letters; its number, where there is none. */
export function shortName({ run, name }: Pick<TrendPoint, "run" | "name">, room: number): string {
  if (!name || room < 4) return String(run)
  return name.length <= room ? name : `${name.slice(0, room - 1)}…`
}
