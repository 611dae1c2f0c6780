import { headlineFirst, metricName, type Change, type Comparison, type Moved } from "../data/evals"
import { chanceOf } from "../data/effects"
import { signed } from "../data/ticks"
import { counted, percent, whole } from "../data/words"
import { Scroll } from "../pieces/Scroll"
import { Ticked } from "../pieces/Ticked"
import { MetricName } from "./MetricName"
import { known } from "./Quadrant"

interface Asked {
  comparison: Comparison
  /** The row of a question that is shown; undefined where it is not. */
  rowOf: (id: string) => number | undefined
  titleOf: (row: number) => string
  onOpen: (row: number) => void
}

/** What has changed since another run: claims first, then everything, then the questions that moved. */
export function Compared({ comparison, ...rest }: Asked) {
  const { before, after, metrics, labels = [], slices = [], moved = [], notes = [] } = comparison
  return (
    <section class="card" id="compared">
      <h2>
        Run {after.run} against run {before.run}
      </h2>
      <p class="lead">{concluded(told(metrics), labels)}</p>
      <Changes of="Changes of every metric" changes={told(metrics)} labels={labels} />
      {slices.length > 0 && (
        <details>
          <summary>{counted(slices.length, "slice")}, each for itself</summary>
          {slices.map(({ slice, metrics: changes }) => (
            <div key={slice} class="slice-change">
              <h3 dir="auto">{slice}</h3>
              <Changes of={`Changes in ${slice}`} changes={told(changes)} />
            </div>
          ))}
        </details>
      )}
      {moved.length > 0 && <MovedList moved={moved} {...rest} />}
      <Uncompared comparison={comparison} />
      <p class="small below">
        Runs are compared question by question. The interval is of the mean difference; p comes of swapping
        the runs at random, and the adjusted one allows for all metrics being looked at together. Something is
        claimed only where that is below the limit and there are questions enough. Effect is the difference in
        standard deviations of the differences.
      </p>
      {notes.length > 0 && (
        <ul class="notes small">
          {notes.map((note, at) => (
            <li key={at}>
              <Ticked text={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The headline first. */
function told(changes: readonly Change[]): Change[] {
  return headlineFirst(changes).map((at) => changes[at]!)
}

/** What may be said in a sentence, and no more; what people said comes first. */
export function concluded(metrics: readonly Change[], labels: readonly Change[] = []): string {
  const within = (changes: readonly Change[], up: boolean, name: (at: number) => string) =>
    changes.flatMap(({ claim, difference }, at) =>
      claim && difference !== null && difference > 0 === up ? [name(at)] : [],
    )
  const named = (up: boolean) => [
    ...within(labels, up, (at) => saidBy(labels[at]!.metric)),
    ...within(metrics, up, (at) => metricName(metrics, at)),
  ]
  const [rose, fell] = [named(true), named(false)]
  if (!rose.length && !fell.length) return "Nothing can be concluded: every change could be chance."
  return [
    fell.length && `Fell by more than chance: ${fell.join(", ")}.`,
    rose.length && `Rose by more than chance: ${rose.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ")
}

/** A label under a name that no metric has. */
function saidBy(label: string): string {
  return `${label} (people said)`
}

export function verdictOn({ claim, difference }: Change): string {
  if (!claim || !difference) return "could be chance"
  return difference > 0 ? "▲ rose" : "▼ fell"
}

interface ChangesAsked {
  of: string
  changes: Change[]
  labels?: Change[]
}

function Changes({ of, changes, labels = [] }: ChangesAsked) {
  return (
    <Scroll of={of}>
      <thead>
        <tr>
          <th>metric</th>
          <th class="figure">before</th>
          <th class="figure">after</th>
          <th class="figure">difference</th>
          <th class="figure">interval</th>
          <th class="figure">adjusted p</th>
          <th>claim</th>
          <th class="figure">effect</th>
          <th class="figure">better · worse</th>
          <th class="figure">n</th>
          <th class="figure">n/a</th>
        </tr>
      </thead>
      <tbody>
        {labels.map((change) => (
          <ChangeRow key={`label ${change.metric}`} name={saidBy(change.metric)} change={change} />
        ))}
        {changes.map((change, at) => (
          <ChangeRow key={at} name={metricName(changes, at)} change={change} />
        ))}
      </tbody>
    </Scroll>
  )
}

function ChangeRow({ name, change }: { name: string; change: Change }) {
  return (
    <tr class={change.claim ? "claimed" : ""}>
      <th scope="row">
        <MetricName name={name} />
      </th>
      <td class="figure">{known(change.before)}</td>
      <td class="figure">{known(change.after)}</td>
      <td class="figure">{sign(change.difference)}</td>
      <td class="figure">{change.low === null ? "n/a" : `${sign(change.low)} to ${sign(change.high)}`}</td>
      <td class="figure">{change.adjusted === null ? "n/a" : chanceOf(change.adjusted)}</td>
      <td class="claim">{verdictOn(change)}</td>
      <td class="figure">{sign(change.effect, 2)}</td>
      <td class="figure">
        {share(change.better)} · {share(change.worse)}
      </td>
      <td class="figure">{whole(change.n)}</td>
      <td class="figure">
        {whole(change.na_before ?? 0)} → {whole(change.na_after ?? 0)}
      </td>
    </tr>
  )
}

function MovedList({ moved, rowOf, titleOf, onOpen }: { moved: Moved[] } & Omit<Asked, "comparison">) {
  return (
    <>
      <h3 class="sub">Questions that moved most, by {moved[0]!.metric}</h3>
      <ol class="moved">
        {moved.map(({ id, before, after }) => {
          const row = rowOf(id)
          return (
            <li key={id}>
              <span class="figure">
                {known(before)} → {known(after)}
              </span>
              {row === undefined ? (
                <span dir="auto">{id}</span>
              ) : (
                <button type="button" class="link" dir="auto" onClick={() => onOpen(row)}>
                  {titleOf(row)}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** What was not compared is said: nothing is dropped in silence. */
function Uncompared({ comparison: { only_before, only_after, reworded, lost } }: { comparison: Comparison }) {
  const told = [
    only_before?.length && `${counted(only_before.length, "question")} only in the earlier run`,
    only_after?.length && `${counted(only_after.length, "question")} only in the later one`,
    reworded?.length && `${counted(reworded.length, "question")} under the same id in other words`,
    ...(lost ?? []).map(
      ({ metric, ids }) =>
        `read before and n/a now, by ${metric}: ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`,
    ),
  ].filter(Boolean)
  return told.length ? <p class="small below">Not compared: {told.join("; ")}.</p> : null
}

function sign(value: number | null, digits = 3): string {
  return value === null ? "n/a" : signed(value, digits)
}

function share(value: number | null): string {
  return value === null ? "n/a" : percent(value)
}
