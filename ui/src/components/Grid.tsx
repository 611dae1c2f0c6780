import { useMemo, useState } from "preact/hooks"
import { columns, gridRows, type GridRow } from "../data/grid"
import type { Index } from "../data/run"
import { plural } from "../data/format"
import { OutcomeMark } from "./OutcomeBadge"
import { VirtualList } from "./VirtualList"

interface Props {
  index: Index
  listed: readonly number[]
  open: number | null
  onOpen: (row: number) => void
}

/** Tests in rows, sources in columns. */
export function Grid({ index, listed, open, onOpen }: Props) {
  const [differing, setDiffering] = useState(false)
  const gridColumns = useMemo(() => columns(index), [index])
  const shownRows = useMemo(() => gridRows(index, listed, differing), [index, listed, differing])
  const template = {
    gridTemplateColumns: `minmax(9rem, 1fr) repeat(${gridColumns.length}, minmax(5.5rem, 9rem))`,
  }
  return (
    <section class="card grid-card" aria-label="Sources by tests">
      <header class="grid-tools">
        <label>
          <input
            type="checkbox"
            checked={differing}
            onChange={(event) => setDiffering(event.currentTarget.checked)}
          />{" "}
          only tests with different outcomes
        </label>
        <span class="small" role="status">
          {plural(shownRows.length, "test")}
        </span>
      </header>
      <div class="grid-table" role="table" aria-rowcount={shownRows.length + 1}>
        <div class="grid-row grid-head" role="row" style={template}>
          <span role="columnheader">test</span>
          {gridColumns.map(({ name }) => (
            <span key={name} role="columnheader" title={name}>
              {name}
            </span>
          ))}
        </div>
        <VirtualList
          count={shownRows.length}
          height={40}
          frame={{ class: "grid-scroll", role: "rowgroup", tabIndex: 0 }}
          inner={{ role: "presentation" }}
        >
          {(at, top) => (
            <Row
              key={shownRows[at]!.test}
              row={shownRows[at]!}
              at={at}
              top={top}
              columnCount={gridColumns.length}
              {...{ index, open, onOpen, template }}
            />
          )}
        </VirtualList>
      </div>
    </section>
  )
}

interface RowProps extends Omit<Props, "listed"> {
  row: GridRow
  at: number
  top: number
  columnCount: number
  template: Record<string, string>
}

function Row({ row, at, top, columnCount, index, open, onOpen, template }: RowProps) {
  return (
    <div class="grid-row" role="row" aria-rowindex={at + 2} style={{ ...template, top: `${top}px` }}>
      <span role="rowheader" title={row.title}>
        <small>{row.test}</small> {row.title}
      </span>
      {Array.from({ length: columnCount }, (_, column) => (
        <span key={column} role="cell">
          <Cell index={index} row={row.cells[column]} open={open} onOpen={onOpen} />
        </span>
      ))}
    </div>
  )
}

function Cell({ index, row, open, onOpen }: Omit<Props, "listed"> & { row: number | undefined }) {
  if (row === undefined) return <span class="none">–</span>
  const { outcome, consistency } = index.rows
  const inconsistency = consistency[row]!.startsWith("inconsistent")
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
      {outcome[row]} {inconsistency}
    </button>
  )
}
