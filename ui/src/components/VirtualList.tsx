import type { ComponentChildren, Ref } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

const OVERSCAN = 8

interface Props {
  count: number
  /** In pixels; every item has the same. */
  height: number
  /** Index of the item that must be visible, if any. */
  visibleItem?: number | null
  children: (at: number, top: number) => ComponentChildren
  /** Attributes of the scrolling element: its role, its label, its class. */
  frame: Record<string, unknown>
  /** Attributes of the element that contains the items. */
  inner?: Record<string, unknown>
}

/** A list of any length, of which only the visible items are rendered. */
export function VirtualList({ count, height, visibleItem = null, children, frame, inner }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState({ top: 0, height: 800 })
  useViewport(scroller, setViewport)
  useLayoutEffect(() => {
    if (visibleItem !== null && scroller.current) scrollToItem(scroller.current, visibleItem * height, height)
  }, [visibleItem, height])
  const first = Math.max(0, Math.min(Math.floor(viewport.top / height) - OVERSCAN, count - 1))
  const last = Math.min(count, Math.ceil((viewport.top + viewport.height) / height) + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  return (
    <div ref={scroller as Ref<HTMLDivElement>} {...frame}>
      <div {...inner} class="list-content" style={{ height: `${count * height}px` }}>
        {shown.map((at) => children(at, at * height))}
      </div>
    </div>
  )
}

type Viewport = { top: number; height: number }

function useViewport(
  scroller: { current: HTMLDivElement | null },
  setViewport: (viewport: Viewport) => void,
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => setViewport({ top: element.scrollTop, height: element.clientHeight })
    update()
    element.addEventListener("scroll", update, { passive: true })
    const size = new ResizeObserver(update)
    size.observe(element)
    return () => {
      element.removeEventListener("scroll", update)
      size.disconnect()
    }
  }, [])
}

function scrollToItem(scroller: HTMLElement, top: number, height: number): void {
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height > scroller.scrollTop + scroller.clientHeight) {
    scroller.scrollTop = top + height - scroller.clientHeight
  }
}
