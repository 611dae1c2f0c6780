import { useEffect, useRef, useState } from "preact/hooks"

interface Asked<T> {
  /** What is drawn; it is drawn anew when this is another one. */
  of: T
  draw: (of: T, width: number) => Element
  /** The picture in words. */
  said: string
  class?: string
}

/** A picture as wide as there is room for. */
export function Picture<T>({ of, draw, said, class: name }: Asked<T>) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  useEffect(() => {
    frame.current?.replaceChildren(bare(draw(of, width)))
  }, [of, width])
  return <div ref={frame} class={name} role="img" aria-label={said} />
}

/** The page's own style covers it, and its policy lets no other in; it is told of as a whole, not mark by mark. */
function bare(picture: Element): Element {
  picture.querySelectorAll("style").forEach((style) => style.remove())
  picture.querySelectorAll("[aria-label]").forEach((mark) => mark.removeAttribute("aria-label"))
  return picture
}

/** How wide an element is, as long as it is there. */
export function useWidth(frame: { current: HTMLDivElement | null }): number {
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
