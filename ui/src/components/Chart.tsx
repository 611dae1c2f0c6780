import { useEffect, useRef, useState } from "preact/hooks"

/** Narrower than this, a chart is scaled down in place of being drawn anew. */
const MIN_WIDTH = 240

interface Props<T> {
  /** What is drawn; the chart is redrawn when it changes. */
  data: T
  draw: (data: T, width: number) => Element
  /** The chart as a text, for screen readers. */
  label: string
  class?: string
}

/** A chart as wide as its container. */
export function Chart<T>({ data, draw, label, class: name = "chart" }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  useEffect(() => {
    frame.current?.replaceChildren(withoutStyles(draw(data, width)))
  }, [data, width])
  return <div ref={frame} class={name} role="img" aria-label={label} />
}

/** The height of a chart of a given width: a readable share of it, within bounds. */
export function chartHeight(width: number, min: number, max: number, ratio = 0.5): number {
  return Math.round(Math.max(min, Math.min(width * ratio, max)))
}

/** The page's own style applies, and its policy allows no other; the chart has one label, its marks have none. */
function withoutStyles(chart: Element): Element {
  chart.querySelectorAll("style").forEach((style) => style.remove())
  chart.querySelectorAll("[aria-label]").forEach((mark) => mark.removeAttribute("aria-label"))
  return chart
}

/** The width of an element, updated when it changes. */
export function useWidth(frame: { current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(640)
  useEffect(() => {
    if (!frame.current) return
    const size = new ResizeObserver(([entry]) =>
      setWidth(Math.max(MIN_WIDTH, Math.floor(entry!.contentRect.width))),
    )
    size.observe(frame.current)
    return () => size.disconnect()
  }, [])
  return width
}
