import type { ComponentChildren } from "preact"

/** A table that may be wider than the page; then it is scrolled, by keys too. */
export function Scroll({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={of}>
      <table>{children}</table>
    </div>
  )
}
