import { metricName, type Agreement } from "../data/evals"
import { plural, decimals, integer } from "../data/format"
import { ScrollTable } from "../components/ScrollTable"
import { valueOrNa } from "./QuadrantChart"

/** The agreement of each metric with human labels. */
export function AgreementSection({ agreement }: { agreement: Agreement[] }) {
  const labels = [...new Set(agreement.map(({ label }) => label))]
  return (
    <section class="card" id="agreement">
      <h2>Agreement with human labels</h2>
      {labels.map((label) => (
        <LabelAgreement key={label} label={label} rows={agreement.filter((one) => one.label === label)} />
      ))}
      <p class="small below">
        AUROC is the probability that the metric scores an answer labelled 1 higher than one labelled 0: 0.5
        is chance. Spearman is the rank correlation: 0 is none. The marks show the value and its 95% interval.
      </p>
    </section>
  )
}

function LabelAgreement({ label, rows }: { label: string; rows: Agreement[] }) {
  return (
    <>
      <ScrollTable label={`Agreement with ${label}`}>
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
              <td class="figure">{valueOrNa(row.auroc)}</td>
              <td class="figure">{intervalText(row.auroc_low, row.auroc_high)}</td>
              <td class="wide">
                <IntervalBar value={row.auroc} low={row.auroc_low} high={row.auroc_high} />
              </td>
              <td class="figure">{valueOrNa(row.spearman)}</td>
              <td class="figure">{intervalText(row.spearman_low, row.spearman_high)}</td>
              <td class="figure">{integer(row.n)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {notes(rows).map((note) => (
        <p key={note} class="small below">
          {note}
        </p>
      ))}
    </>
  )
}

/** Which answers AUROC excludes, and why there is none. */
function notes(rows: Agreement[]): string[] {
  const split = Math.max(...rows.map(({ split = 0 }) => split))
  const withoutAuroc = rows.flatMap(({ no_auroc }, at) =>
    no_auroc ? [[metricName(rows, at), no_auroc]] : [],
  )
  const reasons = new Set(withoutAuroc.map(([, reason]) => reason))
  const all = withoutAuroc.length === rows.length && reasons.size === 1
  return [
    ...(split ? [`${plural(split, "answer")} excluded from AUROC: as many raters chose 0 as 1.`] : []),
    ...(all
      ? [`No AUROC: ${[...reasons][0]}.`]
      : withoutAuroc.map(([name, reason]) => `No AUROC of ${name}: ${reason}.`)),
  ]
}

function intervalText(low: number | null, high: number | null): string {
  return low === null || high === null ? "n/a" : `${decimals(low)} to ${decimals(high)}`
}

/** A value with its interval on a scale from 0.5 to 1. */
function IntervalBar({
  value,
  low,
  high,
}: {
  value: number | null
  low: number | null
  high: number | null
}) {
  const at = (number: number) => Math.max(0, Math.min(1, (number - 0.5) * 2)) * 100
  if (value === null) return null
  return (
    <span class="interval" aria-hidden="true">
      {low !== null && high !== null && (
        <span class="range" style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }} />
      )}
      <span class="value" style={{ left: `${at(value)}%` }} />
    </span>
  )
}
