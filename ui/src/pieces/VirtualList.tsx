import type { ComponentChildren, Ref } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

const AROUND = 8

interface Asked {
  count: number
  /** In pixels; every item has the same. */
  height: number
  /** The item that must be in sight, if any. */
  sight?: number | null
  children: (at: number, top: number) => ComponentChildren
  /** Put on the element that scrolls: its role, its label, its class. */
  frame: Record<string, unknown>
  /** Put on the element that holds the items. */
  inner?: Record<string, unknown>
}

/** A list of any length, of which only what can be seen is in the page. */
export function VirtualList({ count, height, sight = null, children, frame, inner }: Asked) {
  const scroller = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, tall: 800 })
  useFollowedScroll(scroller, setSeen)
  useLayoutEffect(() => {
    if (sight !== null && scroller.current) bringIntoSight(scroller.current, sight * height, height)
  }, [sight, height])
  const first = Math.max(0, Math.min(Math.floor(seen.top / height) - AROUND, count - 1))
  const last = Math.min(count, Math.ceil((seen.top + seen.tall) / height) + AROUND)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  return (
    <div ref={scroller as Ref<HTMLDivElement>} {...frame}>
      <div {...inner} class="rail" style={{ height: `${count * height}px` }}>
        {shown.map((at) => children(at, at * height))}
      </div>
    </div>
  )
}

type Seen = { top: number; tall: number }

function useFollowedScroll(
  scroller: { current: HTMLDivElement | null },
  setSeen: (seen: Seen) => void,
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => setSeen({ top: element.scrollTop, tall: element.clientHeight })
    look()
    element.addEventListener("scroll", look, { passive: true })
    const size = new ResizeObserver(look)
    size.observe(element)
    return () => {
      element.removeEventListener("scroll", look)
      size.disconnect()
    }
  }, [])
}

function bringIntoSight(scroller: HTMLElement, top: number, height: number): void {
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height > scroller.scrollTop + scroller.clientHeight) {
    scroller.scrollTop = top + height - scroller.clientHeight
  }
}
