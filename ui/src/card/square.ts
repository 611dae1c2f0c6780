import { axisX, axisY, gridX, gridY, line, plot, type Markish } from "@observablehq/plot"
import { QUARTERS, tick } from "../data/ticks"
import { STYLE } from "./Figure"

/** A square chart from 0% to 100% on both axes, with a dashed diagonal. */
export function square(across: string, upwards: string, width: number, marks: Markish[]): Element {
  const side = Math.min(width, 440)
  const grid = { stroke: "currentColor", strokeOpacity: 0.12, ticks: QUARTERS }
  const axis = {
    ticks: QUARTERS,
    tickSize: 0,
    tickFormat: tick,
    labelAnchor: "center",
    labelArrow: "none",
  } as const
  return plot({
    width: side,
    height: side - 14,
    marginLeft: 58,
    marginRight: 16,
    marginTop: 14,
    marginBottom: 46,
    style: STYLE,
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    marks: [
      gridX(grid),
      gridY(grid),
      axisX({ ...axis, label: across, labelOffset: 40 }),
      axisY({ ...axis, label: upwards, labelOffset: 52 }),
      line([0, 1], {
        x: (d: number) => d,
        y: (d: number) => d,
        stroke: "var(--soft)",
        strokeOpacity: 0.7,
        strokeDasharray: "5 4",
      }),
      ...marks,
    ],
  })
}
