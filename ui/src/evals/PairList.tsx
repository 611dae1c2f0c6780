import type { EvalsIndex } from "../data/evals"
import { factsDiffer, KIND_NAMES, type Axes, type Kind } from "../data/kinds"
import { VirtualList } from "../components/VirtualList"
import { KindMark } from "./KindMark"
import { valueOrNa } from "./QuadrantChart"

const HEIGHT = 66

interface Props {
  index: EvalsIndex
  axes: Axes | null
  kinds: readonly Kind[]
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** The answers that match the filter: the chart as a list. */
export function PairList({ index, axes, kinds, listed, open, onOpen }: Props) {
  if (!listed.length)
    return (
      <p class="empty">
        {index.rows.id.length ? "No answer matches this filter." : "This run has no answers."}
      </p>
    )
  const at = open === null ? -1 : listed.indexOf(open)
  const frame = {
    id: "list",
    class: "list",
    role: "listbox",
    tabIndex: 0,
    "aria-label": "Answers",
    "aria-activedescendant": at < 0 ? undefined : `pair-${open}`,
  }
  return (
    <VirtualList
      count={listed.length}
      height={HEIGHT}
      visibleItem={at < 0 ? null : at}
      frame={frame}
      inner={{ role: "presentation" }}
    >
      {(nth, top) => (
        <Item
          key={listed[nth]!}
          {...{ index, axes, kinds, open, onOpen, nth, top }}
          row={listed[nth]!}
          of={listed.length}
        />
      )}
    </VirtualList>
  )
}

type ItemProps = Omit<Props, "listed"> & { row: number; nth: number; of: number; top: number }

function Item({ index, axes, kinds, row, nth, of, top, open, onOpen }: ItemProps) {
  const { rows } = index
  const kind = kinds[row] ?? "na"
  const differs = factsDiffer(index, row)
  const summary = [KIND_NAMES[kind], differs && "a fact differs"].filter(Boolean).join(" · ")
  return (
    <div
      id={`pair-${row}`}
      role="option"
      class="item"
      aria-selected={row === open}
      aria-posinset={nth + 1}
      aria-setsize={of}
      style={{ top: `${top}px`, height: `${HEIGHT}px` }}
      onClick={() => onOpen(row)}
    >
      <KindMark kind={kind} hollow={differs} />
      <div class="item-text">
        <p class="item-name" dir="auto">
          {rows.title[row] || rows.id[row]}
        </p>
        <p class="item-reason">{axes ? summary : rows.id[row]}</p>
      </div>
      {axes && (
        <p class="figure">
          <span title="x-axis">{valueOrNa(rows.values[axes.across]![row])}</span>
          <br />
          <span title="y-axis">{valueOrNa(rows.values[axes.upwards]![row])}</span>
        </p>
      )}
    </div>
  )
}
