import { mostLostFirst, partsOf, type EffectsReport, type Item } from "../data/effects"
import { counted, percent, whole } from "../data/words"
import { Picture } from "../pieces/Picture"
import { drawBars } from "./bars"
import { Legend } from "./Stages"

export const MOST_BARS = 40
export const MOST_ROWS = 500

/** The figures of each item, those first that lost most of what is relevant. */
export function Items({ report }: { report: EffectsReport }) {
  const { items, overall, stages } = report
  const sorted = mostLostFirst(items)
  return (
    <section class="card">
      <h2>Item by item, most relevant lost first</h2>
      <Legend overall={overall} stages={stages} />
      <Picture
        of={report}
        draw={drawn}
        said={`Bars of ${counted(Math.min(items.length, MOST_BARS), "item")}: what was kept, and which stage dropped the rest`}
        class="picture"
      />
      <div class="scroll" tabIndex={0} role="region" aria-label="Item by item">
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
            {sorted.slice(0, MOST_ROWS).map((item) => (
              <Row key={item.position} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small below">
        Before the guards → after them. Covered are queries with at least one relevant reference, of those
        with a label; lengths are in characters.
        {items.length > MOST_BARS && ` The first ${MOST_BARS} are drawn.`}
        {items.length > MOST_ROWS &&
          ` The first ${MOST_ROWS} of ${counted(items.length, "item")} are listed; the table as CSV has them all.`}
      </p>
    </section>
  )
}

function drawn({ items, stages }: EffectsReport, width: number): Element {
  const shown = mostLostFirst(items).slice(0, MOST_BARS)
  return drawBars(
    {
      rows: new Map(shown.map((one) => [String(one.position), one.item])),
      parts: shown.flatMap((one) => partsOf(one, stages, String(one.position))),
      stages,
      of: "share of the item's references",
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
      <td class="figure">{whole(before.queries)}</td>
      <td class="figure">{position}</td>
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
