import { render } from "preact"
import { useEffect } from "preact/hooks"
import type { Index } from "../data/run"
import { counted, decimals } from "../data/words"
import { OutcomeBadge } from "../pieces/OutcomeBadge"

const MOST = 500

/** On paper a list cannot be scrolled: what is listed is printed as a table, up to a bound that is told. */
export function usePaper(index: Index, listed: readonly number[]): void {
  useEffect(() => {
    const paper = document.getElementById("paper")
    if (!paper) return
    const before = () => render(<Paper index={index} listed={listed} />, paper)
    const after = () => render(null, paper)
    window.addEventListener("beforeprint", before)
    window.addEventListener("afterprint", after)
    return () => {
      window.removeEventListener("beforeprint", before)
      window.removeEventListener("afterprint", after)
    }
  }, [index, listed])
}

function Paper({ index: { rows, sources }, listed }: { index: Index; listed: readonly number[] }) {
  return (
    <>
      <h2>
        {counted(listed.length, "test")}
        {listed.length > MOST && `, of which the first ${MOST} are printed`}
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
          {listed.slice(0, MOST).map((row) => (
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
