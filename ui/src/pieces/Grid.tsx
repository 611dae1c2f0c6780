import { useMemo, useState } from "preact/hooks"
import { columns, gridRows, type GridRow } from "../data/grid"
import type { Index } from "../data/run"
import { counted } from "../data/words"
import { OutcomeMark } from "./OutcomeBadge"
import { VirtualList } from "./VirtualList"

interface Asked {
  index: Index
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** Tests down, sources across: who passed what. */
export function Grid({ index, listed, open, onOpen }: Asked) {
  const [differing, setDiffering] = useState(false)
  const across = useMemo(() => columns(index), [index])
  const down = useMemo(() => gridRows(index, listed, differing), [index, listed, differing])
  const template = { gridTemplateColumns: `minmax(9rem, 1fr) repeat(${across.length}, minmax(5.5rem, 9rem))` }
  return (
    <section class="card grid-card" aria-label="Sources by tests">
      <header class="grid-tools">
        <label>
          <input
            type="checkbox"
            checked={differing}
            onChange={(event) => setDiffering(event.currentTarget.checked)}
          />{" "}
          only where they differ
        </label>
        <span class="small" role="status">
          {counted(down.length, "test")}
        </span>
      </header>
      <div class="grid-table" role="table" aria-rowcount={down.length + 1}>
        <div class="grid-row grid-head" role="row" style={template}>
          <span role="columnheader">test</span>
          {across.map(({ name }) => (
            <span key={name} role="columnheader" title={name}>
              {name}
            </span>
          ))}
        </div>
        <VirtualList
          count={down.length}
          height={40}
          frame={{ class: "grid-scroll", role: "rowgroup", tabIndex: 0 }}
          inner={{ role: "presentation" }}
        >
          {(at, top) => (
            <Row
              key={down[at]!.test}
              row={down[at]!}
              at={at}
              top={top}
              across={across.length}
              {...{ index, open, onOpen, template }}
            />
          )}
        </VirtualList>
      </div>
    </section>
  )
}

interface RowAsked extends Omit<Asked, "listed"> {
  row: GridRow
  at: number
  top: number
  across: number
  template: Record<string, string>
}

function Row({ row, at, top, across, index, open, onOpen, template }: RowAsked) {
  return (
    <div class="grid-row" role="row" aria-rowindex={at + 2} style={{ ...template, top: `${top}px` }}>
      <span role="rowheader" title={row.title}>
        <small>{row.test}</small> {row.title}
      </span>
      {Array.from({ length: across }, (_, column) => (
        <span key={column} role="cell">
          <Cell index={index} row={row.cells[column]} open={open} onOpen={onOpen} />
        </span>
      ))}
    </div>
  )
}

function Cell({ index, row, open, onOpen }: Omit<Asked, "listed"> & { row: number | undefined }) {
  if (row === undefined) return <span class="none">–</span>
  const { outcome, consistency } = index.rows
  const unsteady = consistency[row]!.startsWith("inconsistent")
    ? consistency[row]!.replace("inconsistent ", "")
    : ""
  return (
    <button
      type="button"
      class={`cell cell-${outcome[row]}`}
      aria-pressed={row === open}
      onClick={() => onOpen(row)}
    >
      <OutcomeMark outcome={outcome[row]!} />
      {outcome[row]} {unsteady}
    </button>
  )
}
