import type { EffectsReport, Item } from "../data/effects"
import { counted, percent, whole } from "../data/words"

export const MOST_ROWS = 500

/** The figures of each item. */
export function Items({ report: { items } }: { report: EffectsReport }) {
  return (
    <section class="card">
      <h2>Item by item</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Item by item">
        <table>
          <thead>
            <tr>
              <th class="figure">position</th>
              <th>item</th>
              <th class="figure">queries</th>
              <th class="figure">references</th>
              <th class="figure">relevant</th>
              <th class="figure">irrelevant</th>
              <th class="figure">covered</th>
              <th class="figure">characters</th>
              <th class="figure">mean length</th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, MOST_ROWS).map((item) => (
              <Row key={item.position} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small below">
        Before the guards → after them. Covered are queries with at least one relevant reference; lengths are
        in characters.
        {items.length > MOST_ROWS &&
          ` The first ${MOST_ROWS} of ${counted(items.length, "item")} are listed; the table as CSV has them all.`}
      </p>
    </section>
  )
}

function Row({ item: { position, item, before, after } }: { item: Item }) {
  return (
    <tr>
      <td class="figure">{position}</td>
      <th scope="row" dir="auto">
        {item}
      </th>
      <td class="figure">{whole(before.queries)}</td>
      <td class="figure">{both(before.references, after.references)}</td>
      <td class="figure">{both(before.relevant, after.relevant)}</td>
      <td class="figure">{both(before.irrelevant, after.irrelevant)}</td>
      <td class="figure">
        {share(before.relevant_coverage)} → {share(after.relevant_coverage)}
      </td>
      <td class="figure">{both(before.chars, after.chars)}</td>
      <td class="figure">
        {both(mean(before.chars, before.references), mean(after.chars, after.references))}
      </td>
    </tr>
  )
}

function both(before: number | null, after: number | null): string {
  return [before, after].map((one) => (one === null ? "–" : whole(one))).join(" → ")
}

function mean(sum: number, count: number): number | null {
  return count ? Math.round(sum / count) : null
}

function share(held: number | null): string {
  return held === null ? "–" : percent(held)
}
