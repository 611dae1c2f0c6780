import { decimals, integer, percent, plural } from "../data/format"
import { OutcomeMark } from "../components/OutcomeBadge"
import type { Outcome } from "../data/outcome"
import { useRequest } from "./api"
import { Failure, Link, Loading } from "./parts"
import { runLink, type Go } from "./route"

interface AgreementReply {
  label: string
  raters: { rater: string; n: number }[]
  pairs: {
    raters: [string, string]
    n: number
    agreed: number
    value: number | null
    low: number | null
    high: number | null
  }[]
  total: number
  rows: { at: number; id: string; title: string; said: Record<string, number>; outcome: Outcome }[]
}

/** How far reviewers agree beyond chance, and the rows of which they do not. */
export function ReviewAgreement({ id, label, go }: { id: string; label: string; go: Go }) {
  const { data, error, reload } = useRequest<AgreementReply>(
    `/runs/${id}/review/agreement?${new URLSearchParams({ label })}`,
  )
  if (error) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading what="the labels" />
  const named = data.raters.filter(({ rater }) => rater)
  return (
    <section class="agreement" aria-label="Agreement of reviewers">
      <div class="card">
        <h2>How far reviewers agree</h2>
        {data.pairs.length === 0 ? (
          <p>
            {named.length < 2
              ? "One person has labelled so far. A second one opens this page, gives another name, and takes the queue Second opinion."
              : ""}
          </p>
        ) : (
          <table class="kappas">
            <thead>
              <tr>
                <th scope="col">reviewers</th>
                <th scope="col" class="figure">
                  both labelled
                </th>
                <th scope="col" class="figure">
                  agree
                </th>
                <th scope="col" class="figure">
                  kappa, with its 95% interval
                </th>
              </tr>
            </thead>
            <tbody>
              {data.pairs.map((pair) => (
                <tr key={pair.raters.join(" ")}>
                  <th scope="row" dir="auto">
                    {pair.raters.join(" and ")}
                  </th>
                  <td class="figure">{integer(pair.n)}</td>
                  <td class="figure">{pair.n ? percent(pair.agreed / pair.n) : "–"}</td>
                  <td class="figure">
                    <b>{pair.value === null ? "–" : decimals(pair.value)}</b>
                    {pair.low !== null && pair.high !== null && (
                      <small>
                        {decimals(pair.low)} to {decimals(pair.high)}
                      </small>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p class="small">
          Kappa is the agreement beyond chance: 1 is always, 0 is as often as chance.{" "}
          {named.map(({ rater, n }) => `${rater} gave ${plural(n, "label")}`).join(", ")}
        </p>
      </div>
      <div class="card">
        <h2>{data.total ? `${plural(data.total, "row")} with two opinions` : "No row has two opinions"}</h2>
        {data.total > 0 && (
          <ul class="disagreements">
            {data.rows.map((row) => (
              <li key={row.at}>
                <OutcomeMark outcome={row.outcome} />
                <Link to={runLink(id, `row=${row.at}`)} go={go}>
                  <span class="sr">{row.outcome}. </span>
                  <span dir="auto">{row.title}</span>
                </Link>
                <span class="opinions">
                  {Object.entries(row.said).map(([rater, value]) => (
                    <span class={`tag ${value === 1 ? "tag-pass" : "tag-fail"}`} key={rater} dir="auto">
                      {rater || "data"}: {value === 1 ? "correct" : value === 0 ? "wrong" : value}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
