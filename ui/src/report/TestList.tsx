import type { Index } from "../data/run"
import { decimals } from "../data/format"
import { OutcomeMark } from "../components/OutcomeBadge"
import { VirtualList } from "../components/VirtualList"

const HEIGHT = 84

interface Props {
  index: Index
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** The tests that match the filter. */
export function TestList({ index, listed, open, onOpen }: Props) {
  if (!listed.length) {
    return (
      <p class="empty">
        {index.rows.test.length ? "No test matches this filter." : "This run has no results."}
      </p>
    )
  }
  const at = open === null ? -1 : listed.indexOf(open)
  const frame = {
    id: "list",
    class: "list",
    role: "listbox",
    tabIndex: 0,
    "aria-label": "Tests",
    "aria-activedescendant": at < 0 ? undefined : `test-${open}`,
  }
  return (
    <VirtualList
      count={listed.length}
      height={HEIGHT}
      visibleItem={at < 0 ? null : at}
      frame={frame}
      inner={{ role: "presentation" }}
    >
      {(at, top) => (
        <Item key={listed[at]!} {...{ index, open, onOpen, at, top }} row={listed[at]!} of={listed.length} />
      )}
    </VirtualList>
  )
}

function Item({
  index,
  row,
  at,
  of,
  top,
  open,
  onOpen,
}: Omit<Props, "listed"> & { row: number; at: number; of: number; top: number }) {
  const { rows, sources, wordings } = index
  const outcome = rows.outcome[row]!
  const score = rows.score[row]
  const about = [
    sources.length > 1 && sources[rows.source[row]!],
    wordings.length > 1 && wordings[rows.wording[row]!],
    rows.consistency[row],
  ].filter(Boolean)
  return (
    <div
      id={`test-${row}`}
      role="option"
      class={`item item-${outcome}`}
      aria-selected={row === open}
      aria-posinset={at + 1}
      aria-setsize={of}
      style={{ top: `${top}px`, height: `${HEIGHT}px` }}
      onClick={() => onOpen(row)}
    >
      <OutcomeMark outcome={outcome} />
      <div class="item-text">
        <p class="item-name">
          <small>{rows.test[row]}</small> <span dir="auto">{rows.title[row]}</span>
        </p>
        <p class="item-reason">
          <span class="sr">{outcome}. </span>
          {about.length > 0 && <span class="item-about">{about.join(" · ")} </span>}
          <span dir="auto">{rows.reason[row]!.replaceAll("`", "")}</span>
        </p>
      </div>
      <span class="figure">{typeof score === "number" ? decimals(score) : "–"}</span>
    </div>
  )
}
