import { OutcomeMark } from "../components/OutcomeBadge"
import { VirtualList } from "../components/VirtualList"
import { decimals, integer } from "../data/format"
import type { Kind, Row } from "./api"
import type { Rows } from "./useRows"

const HEIGHT = 62

interface Props {
  rows: Rows
  open: number | null
  kind: Kind
  onOpen: (at: number) => void
}

/** The rows that match; only those in view are rendered, and only their pages are loaded. */
export function RowList({ rows, open, kind, onOpen }: Props) {
  const visible = rows.placeOf(open) ?? null
  return (
    <>
      <p class="list-status" role="status">
        {rows.loading ? "Loading …" : `${integer(rows.total)} listed`}
        {!rows.indexed && ` of the first ones; reading all ${integer(rows.of)} …`}
      </p>
      {rows.total ? (
        <VirtualList
          count={rows.total}
          height={HEIGHT}
          visibleItem={visible}
          frame={{
            id: "list",
            class: "list",
            role: "listbox",
            tabIndex: 0,
            "aria-label": "Rows",
            "aria-activedescendant": visible === null ? undefined : `row-${open}`,
          }}
          inner={{ role: "presentation" }}
        >
          {(place, top) => (
            <Item key={place} row={rows.get(place)} {...{ place, top, open, kind, onOpen }} of={rows.total} />
          )}
        </VirtualList>
      ) : (
        !rows.loading && <p class="empty">No row matches these filters.</p>
      )}
    </>
  )
}

interface ItemProps extends Omit<Props, "rows"> {
  row: Row | undefined
  place: number
  top: number
  of: number
}

function Item({ row, place, top, of, open, kind, onOpen }: ItemProps) {
  const style = { top: `${top}px`, height: `${HEIGHT}px` }
  if (!row)
    return (
      <div class="item placeholder" style={style} role="option" aria-selected={false}>
        <span class="sr">Loading</span>
      </div>
    )
  const about = Object.entries(row.slices).map(([, value]) => value)
  const labels = Object.entries(row.labels).map(([name, value]) => `${name} ${value}`)
  return (
    <div
      id={`row-${row.at}`}
      role="option"
      class={`item item-${row.outcome}`}
      aria-selected={row.at === open}
      aria-posinset={place + 1}
      aria-setsize={of}
      style={style}
      onClick={() => onOpen(row.at)}
    >
      <OutcomeMark outcome={row.outcome} />
      <div class="item-text">
        <p class="item-name">
          <span class="sr">{row.outcome}. </span>
          <small>{kind === "suite" ? row.test : row.test + 1}</small> <span dir="auto">{row.title}</span>
        </p>
        <p class="item-reason">
          {row.before && row.before !== row.outcome && <b class="was">was {row.before}</b>}
          {labels.length > 0 && <b class="labelled">{labels.join(", ")}</b>}
          <span dir="auto">{about.join(" · ")}</span>
        </p>
      </div>
      <span class="figure">{row.value === null ? "–" : decimals(row.value)}</span>
    </div>
  )
}
