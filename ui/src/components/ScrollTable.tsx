import type { ComponentChildren } from "preact"

/** A table that scrolls if it is wider than the page, also by keyboard. */
export function ScrollTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>{children}</table>
    </div>
  )
}
