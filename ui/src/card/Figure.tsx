import type { ComponentChildren } from "preact"

/** The style of every chart of the page. */
export const STYLE = { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" }

interface Props {
  title: string
  caption: string
  /** The chart and its legend. */
  children: ComponentChildren
  numbers: ComponentChildren
}

/** A chart with its caption, and its data as a table. */
export function Figure({ title, caption, children, numbers }: Props) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <figure>
        {children}
        <p class="small below">{caption}</p>
      </figure>
      <details>
        <summary>Data as a table</summary>
        {numbers}
      </details>
    </section>
  )
}
