import { chartHeight } from "../components/Chart"
import type { Distribution } from "../data/evals"
import { integer } from "../data/format"

const [TOP, BOTTOM] = [16, 24]
const SVG = "http://www.w3.org/2000/svg"

/** A histogram of one metric; n/a is a separate, hatched bar. */
export function drawHistogram({ counts, from, to, na, mean }: Distribution, width: number): Element {
  const height = chartHeight(width, 170, 280, 0.5)
  const naWidth = Math.max(30, Math.min(width * 0.1, 60))
  // Its space is reserved without n/a too, so that the axes of all metrics are alike.
  const right = width - naWidth - 10
  const highest = Math.max(...counts, na, 1)
  const baseline = height - BOTTOM
  const barHeight = (count: number) => (count ? Math.max(1.5, (count / highest) * (baseline - TOP)) : 0)
  const step = right / counts.length
  const svg = createSvg("svg", { viewBox: `0 0 ${width} ${height}`, height: height, width })
  counts.forEach((count, at) => {
    if (count) svg.append(bar(at * step + 0.75, step - 1.5, baseline, barHeight(count), "histogram-bar"))
  })
  if (na) svg.append(...hatched(right + 10, naWidth, baseline, barHeight(na)))
  svg.append(createSvg("line", { class: "baseline", x1: 0, x2: right, y1: baseline, y2: baseline }))
  if (mean !== null) {
    const x = ((mean - from) / (to - from)) * right
    svg.append(createSvg("path", { class: "mean", d: `M${x} ${baseline + 1}l4 6h-8z` }))
  }
  svg.append(
    label(0, height - 4, "start", String(round(from))),
    label(right, height - 4, "end", String(round(to))),
    label(0, 10, "start", integer(highest)),
  )
  if (na) svg.append(label(right + 10 + naWidth / 2, height - 4, "middle", "n/a"))
  return svg
}

function bar(x: number, width: number, baseline: number, height: number, kind: string): Element {
  return createSvg("rect", { class: kind, x, width, y: baseline - height, height, rx: 1 })
}

/** A hatched bar, drawn as lines: an SVG pattern would need a unique id in the page. */
function hatched(x: number, width: number, baseline: number, height: number): Element[] {
  const lines: string[] = []
  for (let at = 4; at < width + height; at += 5) {
    const [x1, y1] = [Math.max(0, at - height), Math.min(at, height)]
    const [x2, y2] = [Math.min(at, width), Math.max(0, at - width)]
    lines.push(`M${x + x1} ${baseline - y1}L${x + x2} ${baseline - y2}`)
  }
  return [
    bar(x, width, baseline, height, "histogram-na"),
    createSvg("path", { class: "histogram-hatch", d: lines.join("") }),
  ]
}

function label(x: number, y: number, anchor: string, text: string): Element {
  const element = createSvg("text", { class: "tick", x, y, "text-anchor": anchor })
  element.textContent = text
  return element
}

function createSvg(name: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
