import type { Spread } from "../data/evals"
import { whole } from "../data/words"

const [HEIGHT, TOP, BOTTOM] = [118, 16, 24]
const SVG = "http://www.w3.org/2000/svg"

/** A histogram of one metric; n/a is a bar of its own, hatched and set apart. */
export function drawSpread({ counts, from, to, na, mean }: Spread, width: number): Element {
  const wide = Math.max(30, width * 0.1)
  // Its room is kept where everything was read too: so the axes of all metrics are alike.
  const right = width - wide - 10
  const most = Math.max(...counts, na, 1)
  const floor = HEIGHT - BOTTOM
  const tall = (count: number) => (count ? Math.max(1.5, (count / most) * (floor - TOP)) : 0)
  const step = right / counts.length
  const picture = made("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, width })
  counts.forEach((count, at) => {
    if (count) picture.append(bar(at * step + 0.75, step - 1.5, floor, tall(count), "spread-bar"))
  })
  if (na) picture.append(...hatched(right + 10, wide, floor, tall(na)))
  picture.append(made("line", { class: "base", x1: 0, x2: right, y1: floor, y2: floor }))
  if (mean !== null) {
    const x = ((mean - from) / (to - from)) * right
    picture.append(made("path", { class: "mean", d: `M${x} ${floor + 1}l4 6h-8z` }))
  }
  picture.append(
    label(0, HEIGHT - 4, "start", String(round(from))),
    label(right, HEIGHT - 4, "end", String(round(to))),
    label(0, 10, "start", whole(most)),
  )
  if (na) picture.append(label(right + 10 + wide / 2, HEIGHT - 4, "middle", "n/a"))
  return picture
}

function bar(x: number, width: number, floor: number, height: number, kind: string): Element {
  return made("rect", { class: kind, x, width, y: floor - height, height, rx: 1 })
}

/** A frame with slanted lines in it: a pattern would need a name that is unique in the page. */
function hatched(x: number, width: number, floor: number, height: number): Element[] {
  const lines: string[] = []
  for (let at = 4; at < width + height; at += 5) {
    const [x1, y1] = [Math.max(0, at - height), Math.min(at, height)]
    const [x2, y2] = [Math.min(at, width), Math.max(0, at - width)]
    lines.push(`M${x + x1} ${floor - y1}L${x + x2} ${floor - y2}`)
  }
  return [
    bar(x, width, floor, height, "spread-na"),
    made("path", { class: "spread-hatch", d: lines.join("") }),
  ]
}

function label(x: number, y: number, anchor: string, text: string): Element {
  const element = made("text", { class: "tick", x, y, "text-anchor": anchor })
  element.textContent = text
  return element
}

function made(name: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
