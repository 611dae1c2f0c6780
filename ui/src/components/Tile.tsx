import type { ComponentChildren } from "preact"

interface Props {
  label: string
  figure: string
  children?: ComponentChildren
}

/** A key figure in a list of tiles. */
export function Tile({ label, figure, children }: Props) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{figure}</b>
        <span>{children}</span>
      </dd>
    </div>
  )
}
