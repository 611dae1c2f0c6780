import { shapeAt } from "../data/shapes"
import type { Kind } from "../data/fields"

/** The mark of a kind beside its name; it is hollow where a fact differs. */
export function KindMark({ kind, hollow = false }: { kind: Kind; hollow?: boolean }) {
  return (
    <svg class="kind-mark" viewBox="-8 -8 16 16" aria-hidden="true">
      <path class={`dots dots-${kind} ${hollow ? "hollow" : ""}`} d={shapeAt(kind, 0, 0, 5)} />
    </svg>
  )
}
