import type { ComponentChildren } from "preact"

interface Asked {
  what: string
  figure: string
  children?: ComponentChildren
}

/** A figure that is looked for first, inside a list of such. */
export function Tile({ what, figure, children }: Asked) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        <b>{figure}</b>
        <span>{children}</span>
      </dd>
    </div>
  )
}
