import type { EffectsReport, LostQuery } from "../data/effects"
import { plural, decimals, integer } from "../data/format"
import { truncate } from "./truncate"

export const MAX_OPEN_QUERIES = 5
export const MAX_QUERIES = 300
const MAX_CHARS = 220

/** The queries that lost their last relevant reference, with the stage and the reason. */
export function LostQueries({ report: { lost, overall, items_differ } }: { report: EffectsReport }) {
  const had = overall.before.queries_with_relevant
  if (!had) return null
  const shown = lost.slice(0, MAX_QUERIES)
  return (
    <section class="card">
      <h2>Queries that lost their last relevant reference</h2>
      <p class="lead">
        {lost.length
          ? `${integer(lost.length)} of ${plural(had, "query", "queries")} that had one.`
          : `None of ${plural(had, "query", "queries")} that had one.`}
      </p>
      <Queries lost={shown.slice(0, MAX_OPEN_QUERIES)} withItem={items_differ} />
      {shown.length > MAX_OPEN_QUERIES && (
        <details>
          <summary>{integer(shown.length - MAX_OPEN_QUERIES)} more</summary>
          <Queries lost={shown.slice(MAX_OPEN_QUERIES)} withItem={items_differ} />
          {lost.length > shown.length && (
            <p class="small below">
              The first {integer(shown.length)} are listed; the report as JSON has them all.
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
            {truncate(query, MAX_CHARS)}
          </p>
          {(withItem || id !== undefined) && (
            <p class="small" dir="auto">
              {[id, withItem ? truncate(item, 80) : undefined].filter((one) => one !== undefined).join(" · ")}
            </p>
          )}
          {references.map(({ text, closeness, stage, because }, nth) => (
            <div key={nth} class="lost-reference">
              <p dir="auto">{truncate(text, MAX_CHARS)}</p>
              <p class="small">
                similarity {decimals(closeness)}, dropped by <code>{stage}</code>: {because}
              </p>
            </div>
          ))}
        </li>
      ))}
    </ol>
  )
}
