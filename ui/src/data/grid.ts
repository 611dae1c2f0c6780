import type { Index } from "./run"

/** A test with the row of its result in each column. */
export interface GridRow {
  test: number
  title: string
  cells: (number | undefined)[]
}

/** A column of the grid: the answers of one source to one prompt. */
export interface Column {
  source: number
  wording: number
  name: string
}

export function columns(index: Index): Column[] {
  const seen = new Map<string, Column>()
  index.rows.source.forEach((source, row) => {
    const wording = index.rows.wording[row]!
    const name =
      index.wordings.length > 1
        ? `${index.sources[source]} · ${index.wordings[wording]}`
        : index.sources[source]!
    seen.set(`${source}.${wording}`, { source, wording, name })
  })
  return [...seen.values()].sort((a, b) => a.source - b.source || a.wording - b.wording)
}

/** The tests with a listed result, in list order; with `differing`, only tests whose outcomes are not all equal. */
export function gridRows(index: Index, listed: readonly number[], differing: boolean): GridRow[] {
  const { rows } = index
  const columnIndexes = new Map(columns(index).map(({ source, wording }, at) => [`${source}.${wording}`, at]))
  const byTest = new Map<number, GridRow>()
  for (const row of listed) {
    const test = rows.test[row]!
    if (!byTest.has(test)) byTest.set(test, { test, title: rows.title[row]!, cells: [] })
  }
  rows.test.forEach((test, row) => {
    const gridRow = byTest.get(test)
    if (gridRow) gridRow.cells[columnIndexes.get(`${rows.source[row]}.${rows.wording[row]}`)!] = row
  })
  const all = [...byTest.values()]
  return differing
    ? all.filter(
        ({ cells }) => new Set(cells.flatMap((row) => (row === undefined ? [] : rows.outcome[row]))).size > 1,
      )
    : all
}
