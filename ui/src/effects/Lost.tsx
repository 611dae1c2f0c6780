import type { EffectsReport, LostQuery } from "../data/effects"
import { counted, decimals, whole } from "../data/words"
import { cut } from "./names"

export const MOST_OPEN = 5
export const MOST_QUERIES = 300
const LONGEST = 220

/** The queries that lost their last relevant reference: what, to which stage, and why. */
export function Lost({ report: { lost, overall, items_differ } }: { report: EffectsReport }) {
  const had = overall.before.queries_with_relevant
  if (!had) return null
  const shown = lost.slice(0, MOST_QUERIES)
  return (
    <section class="card">
      <h2>Queries that lost their last relevant reference</h2>
      <p class="lead">
        {lost.length
          ? `${whole(lost.length)} of ${counted(had, "query", "queries")} that had one.`
          : `None of ${counted(had, "query", "queries")} that had one.`}
      </p>
      <Queries lost={shown.slice(0, MOST_OPEN)} withItem={items_differ} />
      {shown.length > MOST_OPEN && (
        <details>
          <summary>{whole(shown.length - MOST_OPEN)} more</summary>
          <Queries lost={shown.slice(MOST_OPEN)} withItem={items_differ} />
          {lost.length > shown.length && (
            <p class="small below">
              The first {whole(shown.length)} are listed; the report as JSON has them all.
            </p>
          )}
        </details>
      )}
    </section>
  )
}

function Queries({ lost, withItem }: { lost: LostQuery[]; withItem: boolean }) {
  return (
    <ol class="lost">
      {lost.map(({ id, item, query, references }, at) => (
        <li key={at}>
          <p class="lost-query" dir="auto">
            {cut(query, LONGEST)}
          </p>
          {(withItem || id !== undefined) && (
            <p class="small" dir="auto">
              {[id, withItem ? cut(item, 80) : undefined].filter((one) => one !== undefined).join(" · ")}
            </p>
          )}
          {references.map(({ text, closeness, stage, because }, nth) => (
            <div key={nth} class="lost-reference">
              <p dir="auto">{cut(text, LONGEST)}</p>
              <p class="small">
                closeness {decimals(closeness)}, dropped by <code>{stage}</code>: {because}
              </p>
            </div>
          ))}
        </li>
      ))}
    </ol>
  )
}
