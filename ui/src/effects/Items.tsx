import { sortByRelevantLost, barSegments, type EffectsReport, type Item } from "../data/effects"
import { plural, percent, integer } from "../data/format"
import { Chart } from "../components/Chart"
import { drawBars } from "./bars"
import { Legend } from "./Stages"

export const MAX_BARS = 40
export const MAX_ROWS = 500

/** The figures of each item, sorted by lost relevant references. */
export function Items({ report }: { report: EffectsReport }) {
  const { items, overall, stages } = report
  const sorted = sortByRelevantLost(items)
  return (
    <section class="card">
      <h2>Items, most lost relevant references first</h2>
      <Legend overall={overall} stages={stages} />
      <Chart
        data={report}
        draw={draw}
        label={`Bars of ${plural(Math.min(items.length, MAX_BARS), "item")}: references kept, and dropped by stage`}
      />
      <div class="scroll" tabIndex={0} role="region" aria-label="Items">
        <table>
          <thead>
            <tr>
              <th>item</th>
              <th class="figure">relevant</th>
              <th class="figure">covered</th>
              <th class="figure">references</th>
              <th class="figure">irrelevant</th>
              <th class="figure">queries</th>
              <th class="figure">position</th>
              <th class="figure">characters</th>
              <th class="figure">mean length</th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, MAX_ROWS).map((item) => (
              <Row key={item.position} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small below">
        Before the guards → after them. Covered is the share of labelled queries with at least one relevant
        reference; lengths are in characters.
        {items.length > MAX_BARS && ` The first ${MAX_BARS} are drawn.`}
        {items.length > MAX_ROWS &&
          ` The first ${MAX_ROWS} of ${plural(items.length, "item")} are listed; the table as CSV has them all.`}
      </p>
    </section>
  )
}

function draw({ items, stages }: EffectsReport, width: number): Element {
  const shown = sortByRelevantLost(items).slice(0, MAX_BARS)
  return drawBars(
    {
      rows: new Map(shown.map((one) => [String(one.position), one.item])),
      parts: shown.flatMap((one) => barSegments(one, stages, String(one.position))),
      stages,
      axisLabel: "share of the item's references",
    },
    width,
  )
}

function Row({ item: { position, item, before, after } }: { item: Item }) {
  const labelled = before.queries_labelled > 0
  return (
    <tr>
      <th scope="row" dir="auto" title={item}>
        <span class="name">{item}</span>
      </th>
      <td class="figure">{labelled ? both(before.relevant, after.relevant) : "–"}</td>
      <td class="figure">
        {share(before.relevant_coverage)} → {share(after.relevant_coverage)}
      </td>
      <td class="figure">{both(before.references, after.references)}</td>
      <td class="figure">{labelled ? both(before.irrelevant, after.irrelevant) : "–"}</td>
      <td class="figure">{integer(before.queries)}</td>
      <td class="figure">{position}</td>
      <td class="figure">{both(before.chars, after.chars)}</td>
      <td class="figure">
        {both(mean(before.chars, before.references), mean(after.chars, after.references))}
      </td>
    </tr>
  )
}

function both(before: number | null, after: number | null): string {
  return [before, after].map((one) => (one === null ? "–" : integer(one))).join(" → ")
}

function mean(sum: number, count: number): number | null {
  return count ? Math.round(sum / count) : null
}

function share(value: number | null): string {
  return value === null ? "–" : percent(value)
}
