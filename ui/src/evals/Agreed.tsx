import { metricName, type Agreement } from "../data/evals"
import { counted, decimals, whole } from "../data/words"
import { Scroll } from "../pieces/Scroll"
import { known } from "./Quadrant"

/** How well each metric agrees with what people said. */
export function Agreed({ agreement }: { agreement: Agreement[] }) {
  const labels = [...new Set(agreement.map(({ label }) => label))]
  return (
    <section class="card" id="agreement">
      <h2>What people said</h2>
      {labels.map((label) => (
        <OfLabel key={label} label={label} rows={agreement.filter((one) => one.label === label)} />
      ))}
      <p class="small below">
        AUROC is the chance that of two answers, one labelled 1 and one labelled 0, the metric reads more off
        the first: 0.5 is a coin. Spearman is the correlation of ranks: 0 is none. Marks show the value and
        its 95% interval.
      </p>
    </section>
  )
}

function OfLabel({ label, rows }: { label: string; rows: Agreement[] }) {
  return (
    <>
      <Scroll of={`Agreement with ${label}`}>
        <thead>
          <tr>
            <th>{label}</th>
            <th class="figure">AUROC</th>
            <th class="figure">interval</th>
            <th class="wide">0.5 to 1</th>
            <th class="figure">Spearman</th>
            <th class="figure">interval</th>
            <th class="figure">n</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <th scope="row">{metricName(rows, at)}</th>
              <td class="figure">{known(row.auroc)}</td>
              <td class="figure">{span(row.auroc_low, row.auroc_high)}</td>
              <td class="wide">
                <Span value={row.auroc} low={row.auroc_low} high={row.auroc_high} />
              </td>
              <td class="figure">{known(row.spearman)}</td>
              <td class="figure">{span(row.spearman_low, row.spearman_high)}</td>
              <td class="figure">{whole(row.n)}</td>
            </tr>
          ))}
        </tbody>
      </Scroll>
      {aside(rows).map((told) => (
        <p key={told} class="small below">
          {told}
        </p>
      ))}
    </>
  )
}

/** What AUROC leaves out, and why there is none. */
function aside(rows: Agreement[]): string[] {
  const split = Math.max(...rows.map(({ split = 0 }) => split))
  const lacking = rows.flatMap(({ no_auroc }, at) => (no_auroc ? [[metricName(rows, at), no_auroc]] : []))
  const why = new Set(lacking.map(([, reason]) => reason))
  const all = lacking.length === rows.length && why.size === 1
  return [
    ...(split ? [`${counted(split, "answer")} left out of AUROC: as many people said 0 as 1.`] : []),
    ...(all
      ? [`No AUROC: ${[...why][0]}.`]
      : lacking.map(([name, reason]) => `No AUROC of ${name}: ${reason}.`)),
  ]
}

function span(low: number | null, high: number | null): string {
  return low === null || high === null ? "n/a" : `${decimals(low)} to ${decimals(high)}`
}

/** A mark with its interval on a track from 0.5 to 1. */
function Span({ value, low, high }: { value: number | null; low: number | null; high: number | null }) {
  const at = (number: number) => Math.max(0, Math.min(1, (number - 0.5) * 2)) * 100
  if (value === null) return null
  return (
    <span class="interval" aria-hidden="true">
      {low !== null && high !== null && (
        <span class="reach" style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }} />
      )}
      <span class="value" style={{ left: `${at(value)}%` }} />
    </span>
  )
}
