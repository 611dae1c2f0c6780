import { render } from "preact"
import { useEffect } from "preact/hooks"
import type { Index } from "../data/run"
import { plural, decimals } from "../data/format"
import { OutcomeBadge } from "../components/OutcomeBadge"

const MAX_ROWS = 500

/** Prints the listed tests as a table, up to a maximum that is stated. */
export function usePrintTable(index: Index, listed: readonly number[]): void {
  useEffect(() => {
    const container = document.getElementById("print")
    if (!container) return
    const before = () => render(<PrintTable index={index} listed={listed} />, container)
    const after = () => render(null, container)
    window.addEventListener("beforeprint", before)
    window.addEventListener("afterprint", after)
    return () => {
      window.removeEventListener("beforeprint", before)
      window.removeEventListener("afterprint", after)
    }
  }, [index, listed])
}

function PrintTable({ index: { rows, sources }, listed }: { index: Index; listed: readonly number[] }) {
  return (
    <>
      <h2>
        {plural(listed.length, "test")}
        {listed.length > MAX_ROWS && `, of which the first ${MAX_ROWS} are printed`}
      </h2>
      <table>
        <thead>
          <tr>
            <th>number</th>
            <th>outcome</th>
            <th>score</th>
            <th>source</th>
            <th>test and reason</th>
          </tr>
        </thead>
        <tbody>
          {listed.slice(0, MAX_ROWS).map((row) => (
            <tr key={row}>
              <td class="figure">{rows.test[row]}</td>
              <td>
                <OutcomeBadge outcome={rows.outcome[row]!} />
              </td>
              <td class="figure">{typeof rows.score[row] === "number" ? decimals(rows.score[row]) : "–"}</td>
              <td>{sources[rows.source[row]!]}</td>
              <td>
                {rows.title[row]}
                <br />
                <small>{rows.reason[row]}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
