import { axisX, axisY, barX, gridX, plot } from "@observablehq/plot"
import { KEPT, type Part } from "../data/effects"
import { QUARTERS, tick } from "../data/ticks"
import { cut } from "./names"

/** Bars of what was kept and what each stage dropped, a row each; the rows are named, and in this order. */
export interface Bars {
  rows: ReadonlyMap<string, string>
  parts: Part[]
  stages: readonly string[]
  /** What a bar is a share of. */
  of: string
}

export function drawBars({ rows, parts, stages, of }: Bars, width: number): Element {
  const longest = Math.max(...[...rows.values()].map((name) => name.length), 4)
  const room = Math.min(220, Math.floor(width * 0.36), longest * 7 + 16)
  const kinds = [KEPT, ...new Set(stages)]
  return plot({
    width,
    height: 56 + rows.size * 26,
    marginLeft: room,
    marginRight: 24,
    marginTop: 8,
    marginBottom: 44,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [0, 1] },
    y: { domain: [...rows.keys()], padding: 0.25 },
    color: { domain: kinds, range: kinds.map((what) => `var(--${tone(what, stages)})`) },
    marks: [
      gridX({ stroke: "currentColor", strokeOpacity: 0.1, ticks: QUARTERS }),
      axisX({
        ticks: QUARTERS,
        tickSize: 0,
        tickFormat: tick,
        label: of,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      axisY({
        tickSize: 0,
        label: null,
        tickFormat: (row: string) => cut(rows.get(row) ?? row, Math.floor((room - 12) / 7)),
        title: (row: string) => rows.get(row) ?? row,
      }),
      barX(parts, { y: "row", x1: "from", x2: "to", fill: "what", insetLeft: 0.75, insetRight: 0.75, rx: 1 }),
    ],
  })
}

/** Which colour: that of the stage's place in the chain, again from the first when they have run out. */
export function tone(what: string, stages: readonly string[]): string {
  return what === KEPT ? "guarded" : `stage-${[...new Set(stages)].indexOf(what) % 7}`
}
