import { shapeAt } from "../data/kindShapes"
import type { Kind } from "../data/kinds"

/** The mark of a kind; it is hollow if a fact differs. */
export function KindMark({ kind, hollow = false }: { kind: Kind; hollow?: boolean }) {
  return (
    <svg class="kind-mark" viewBox="-8 -8 16 16" aria-hidden="true">
      <path class={`dots dots-${kind} ${hollow ? "hollow" : ""}`} d={shapeAt(kind, 0, 0, 5)} />
    </svg>
  )
}
