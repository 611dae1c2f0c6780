import { headlineFirst, metricName, type Change, type Comparison, type LargestChange } from "../data/evals"
import { formatPValue } from "../data/effects"
import { signed } from "../data/ticks"
import { plural, percent, integer } from "../data/format"
import { ScrollTable } from "../components/ScrollTable"
import { CodeText } from "../components/CodeText"
import { MetricName } from "./MetricName"
import { valueOrNa } from "./QuadrantChart"

interface Props {
  comparison: Comparison
  /** The row of a question; undefined if it is not shown. */
  rowOf: (id: string) => number | undefined
  titleOf: (row: number) => string
  onOpen: (row: number) => void
}

/** The changes since another run: the conclusion, every metric, and the questions that changed most. */
export function ComparisonSection({ comparison, ...rest }: Props) {
  const {
    before,
    after,
    metrics,
    labels = [],
    slices = [],
    moved: largestChanges = [],
    notes = [],
  } = comparison
  return (
    <section class="card" id="comparison">
      <h2>
        Run {after.run} compared with run {before.run}
      </h2>
      <p class="lead">{conclusion(sorted(metrics), labels)}</p>
      <Changes label="Changes of every metric" changes={sorted(metrics)} labels={labels} />
      {slices.length > 0 && (
        <details>
          <summary>{plural(slices.length, "slice")}, each compared separately</summary>
          {slices.map(({ slice, metrics: changes }) => (
            <div key={slice} class="slice-change">
              <h3 dir="auto">{slice}</h3>
              <Changes label={`Changes in ${slice}`} changes={sorted(changes)} />
            </div>
          ))}
        </details>
      )}
      {largestChanges.length > 0 && <LargestChanges largestChanges={largestChanges} {...rest} />}
      <NotCompared comparison={comparison} />
      <p class="small below">
        Runs are compared question by question. The interval is of the mean difference; p comes from a paired
        permutation test, and the adjusted p corrects for the number of metrics. A change is significant if
        the adjusted p is below the limit and there are enough questions. Effect is the difference in standard
        deviations of the differences.
      </p>
      {notes.length > 0 && (
        <ul class="notes small">
          {notes.map((note, at) => (
            <li key={at}>
              <CodeText text={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The headline metrics first. */
function sorted(changes: readonly Change[]): Change[] {
  return headlineFirst(changes).map((at) => changes[at]!)
}

/** The significant changes in a sentence; labels come first. */
export function conclusion(metrics: readonly Change[], labels: readonly Change[] = []): string {
  const within = (changes: readonly Change[], up: boolean, name: (at: number) => string) =>
    changes.flatMap(({ claim, difference }, at) =>
      claim && difference !== null && difference > 0 === up ? [name(at)] : [],
    )
  const named = (up: boolean) => [
    ...within(labels, up, (at) => labelName(labels[at]!.metric)),
    ...within(metrics, up, (at) => metricName(metrics, at)),
  ]
  const [higher, lower] = [named(true), named(false)]
  if (!higher.length && !lower.length) return "No significant change."
  return [
    lower.length && `Significantly lower: ${lower.join(", ")}.`,
    higher.length && `Significantly higher: ${higher.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ")
}

/** The name of a label, which differs from that of any metric. */
function labelName(label: string): string {
  return `${label} (human label)`
}

export function changeText({ claim, difference }: Change): string {
  if (!claim || !difference) return "not significant"
  return difference > 0 ? "▲ higher" : "▼ lower"
}

interface ChangesProps {
  label: string
  changes: Change[]
  labels?: Change[]
}

function Changes({ label, changes, labels = [] }: ChangesProps) {
  return (
    <ScrollTable label={label}>
      <thead>
        <tr>
          <th>metric</th>
          <th class="figure">before</th>
          <th class="figure">after</th>
          <th class="figure">difference</th>
          <th class="figure">interval</th>
          <th class="figure">adjusted p</th>
          <th>conclusion</th>
          <th class="figure">effect</th>
          <th class="figure">better · worse</th>
          <th class="figure">n</th>
          <th class="figure">n/a</th>
        </tr>
      </thead>
      <tbody>
        {labels.map((change) => (
          <ChangeRow key={`label ${change.metric}`} name={labelName(change.metric)} change={change} />
        ))}
        {changes.map((change, at) => (
          <ChangeRow key={at} name={metricName(changes, at)} change={change} />
        ))}
      </tbody>
    </ScrollTable>
  )
}

function ChangeRow({ name, change }: { name: string; change: Change }) {
  return (
    <tr class={change.claim ? "significant" : ""}>
      <th scope="row">
        <MetricName name={name} />
      </th>
      <td class="figure">{valueOrNa(change.before)}</td>
      <td class="figure">{valueOrNa(change.after)}</td>
      <td class="figure">{sign(change.difference)}</td>
      <td class="figure">{change.low === null ? "n/a" : `${sign(change.low)} to ${sign(change.high)}`}</td>
      <td class="figure">{change.adjusted === null ? "n/a" : formatPValue(change.adjusted)}</td>
      <td class="conclusion">{changeText(change)}</td>
      <td class="figure">{sign(change.effect, 2)}</td>
      <td class="figure">
        {share(change.better)} · {share(change.worse)}
      </td>
      <td class="figure">{integer(change.n)}</td>
      <td class="figure">
        {integer(change.na_before ?? 0)} → {integer(change.na_after ?? 0)}
      </td>
    </tr>
  )
}

function LargestChanges({
  largestChanges,
  rowOf,
  titleOf,
  onOpen,
}: { largestChanges: LargestChange[] } & Omit<Props, "comparison">) {
  return (
    <>
      <h3 class="sub">Largest changes of {largestChanges[0]!.metric}</h3>
      <ol class="largest-changes">
        {largestChanges.map(({ id, before, after }) => {
          const row = rowOf(id)
          return (
            <li key={id}>
              <span class="figure">
                {valueOrNa(before)} → {valueOrNa(after)}
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

/** The questions that were not compared. */
function NotCompared({
  comparison: { only_before, only_after, reworded, lost },
}: {
  comparison: Comparison
}) {
  const reasons = [
    only_before?.length && `${plural(only_before.length, "question")} only in the earlier run`,
    only_after?.length && `${plural(only_after.length, "question")} only in the later run`,
    reworded?.length && `${plural(reworded.length, "question")} with the same id and a different text`,
    ...(lost ?? []).map(
      ({ metric, ids }) =>
        `n/a now but not before, by ${metric}: ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`,
    ),
  ].filter(Boolean)
  return reasons.length ? <p class="small below">Not compared: {reasons.join("; ")}.</p> : null
}

function sign(value: number | null, digits = 3): string {
  return value === null ? "n/a" : signed(value, digits)
}

function share(value: number | null): string {
  return value === null ? "n/a" : percent(value)
}
