import type { ComponentChildren } from "preact"

/** How every picture of the page is drawn. */
export const STYLE = { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" }

interface Asked {
  title: string
  caption: string
  /** The picture, and what its marks mean. */
  children: ComponentChildren
  numbers: ComponentChildren
}

/** A picture with its caption, and with its numbers in a table. */
export function Figure({ title, caption, children, numbers }: Asked) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <figure>
        {children}
        <p class="small below">{caption}</p>
      </figure>
      <details>
        <summary>The same in numbers</summary>
        {numbers}
      </details>
    </section>
  )
}
