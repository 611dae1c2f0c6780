import { axisX, axisY, gridY, plot, rect, rectY, ruleX, ruleY } from "@observablehq/plot"
import { useEffect, useRef, useState } from "preact/hooks"
import { bars, type Spread } from "../data/histogram"
import { OUTCOMES } from "../data/outcome"
import { domainOf } from "../data/scale"
import { whole } from "../data/words"

const MOST_LINES = 6

/** How often which number was read, by outcome, with the line and its band of doubt drawn in. */
export function Histogram({ spread }: { spread: Spread }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  useEffect(() => {
    frame.current?.replaceChildren(drawn(spread, width))
  }, [spread, width])
  return <div ref={frame} class="histogram" role="img" aria-label={said(spread)} />
}

function drawn({ points, lines }: Spread, width: number): Element {
  const doubts = lines.filter((line) => line.doubt)
  const domain = domainOf([...points.map(({ value }) => value), ...lines.map(({ line }) => line)])
  const picture = plot({
    width,
    height: 240,
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
        tickFormat: (count: number) => (Number.isInteger(count) ? whole(count) : ""),
      }),
      axisX({ ticks: 6, tickSize: 0 }),
      doubts.length === 1
        ? rect(doubts, {
            x1: (d) => d.doubt[0],
            x2: (d) => d.doubt[1],
            fill: "var(--unsure-fill)",
            fillOpacity: 0.14,
          })
        : null,
      rectY(bars(points, domain), { x1: "from", x2: "to", y: "count", fill: "outcome", inset: 0.75, rx: 1 }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      lines.length <= MOST_LINES
        ? ruleX(lines, { x: "line", stroke: "var(--ink)", strokeWidth: 1.75, strokeDasharray: "4 3" })
        : null,
    ],
  })
  // The page's own style covers it, and its policy lets no other in; it is told of as a whole, not mark by mark.
  picture.querySelectorAll("style").forEach((style) => style.remove())
  picture.querySelectorAll("[aria-label]").forEach((mark) => mark.removeAttribute("aria-label"))
  return picture
}

function said({ measure, points, lines }: Spread): string {
  const wanted =
    lines.length <= MOST_LINES
      ? lines.map((line) => line.words).join("; ")
      : `${lines.length} different lines`
  return `Histogram of ${points.length} readings of ${measure}; wanted ${wanted}`
}

function useWidth(frame: { current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(640)
  useEffect(() => {
    if (!frame.current) return
    const size = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.floor(entry!.contentRect.width))),
    )
    size.observe(frame.current)
    return () => size.disconnect()
  }, [])
  return width
}
