import { axisX, axisY, barX, gridX, plot } from "@observablehq/plot"
import { KEPT, type BarSegment } from "../data/effects"
import { QUARTERS, tick } from "../data/ticks"
import { truncate } from "./truncate"

/** Stacked bars of kept references and of those that each stage dropped, one per row, in order. */
export interface Bars {
  rows: ReadonlyMap<string, string>
  parts: BarSegment[]
  stages: readonly string[]
  /** Label of the x-axis. */
  axisLabel: string
}

const ROW_HEIGHT = 34

export function drawBars({ rows, parts, stages, axisLabel }: Bars, width: number): Element {
  const longest = Math.max(...[...rows.values()].map((name) => name.length), 4)
  const labelWidth = Math.min(220, Math.floor(width * 0.36), longest * 7 + 16)
  const kinds = [KEPT, ...new Set(stages)]
  return plot({
    width,
    height: 60 + rows.size * ROW_HEIGHT,
    marginLeft: labelWidth,
    marginRight: 24,
    marginTop: 8,
    marginBottom: 44,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [0, 1] },
    y: { domain: [...rows.keys()], padding: 0.25 },
    color: { domain: kinds, range: kinds.map((what) => `var(--${colorName(what, stages)})`) },
    marks: [
      gridX({ stroke: "currentColor", strokeOpacity: 0.1, ticks: QUARTERS }),
      axisX({
        ticks: QUARTERS,
        tickSize: 0,
        tickFormat: tick,
        label: axisLabel,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      axisY({
        tickSize: 0,
        label: null,
        tickFormat: (row: string) => truncate(rows.get(row) ?? row, Math.floor((labelWidth - 12) / 7)),
        title: (row: string) => rows.get(row) ?? row,
      }),
      barX(parts, { y: "row", x1: "from", x2: "to", fill: "what", insetLeft: 0.75, insetRight: 0.75, rx: 1 }),
    ],
  })
}

/** The colour of a stage by its position in the chain; after the last colour, the first is used again. */
export function colorName(what: string, stages: readonly string[]): string {
  return what === KEPT ? "guarded" : `stage-${[...new Set(stages)].indexOf(what) % 7}`
}
