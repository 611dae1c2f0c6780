import { KEPT, barSegments, type Effect, type EffectsReport, type Label } from "../data/effects"
import { integer } from "../data/format"
import { Chart } from "../components/Chart"
import { drawBars, colorName } from "./bars"

const LABELS: [Label, string][] = [
  ["references", "all"],
  ["relevant", "relevant"],
  ["irrelevant", "irrelevant"],
  ["unlabelled", "not labelled"],
]

/** The references by label: kept, or dropped by a stage. */
export function Stages({ report }: { report: EffectsReport }) {
  const { overall, stages } = report
  const rows = rowsOf(overall)
  return (
    <section class="card">
      <h2>References kept, and dropped by stage</h2>
      <Legend overall={overall} stages={stages} />
      <Chart
        data={report}
        draw={draw}
        label={`Bars of references kept: ${rows.map(([label, name]) => `${name}: ${describeKept(overall, stages, label)}`).join("; ")}`}
      />
      <ul class="small below counts">
        {rows.map(([label, name]) => (
          <li key={label}>
            <b>{name}</b>: {describeKept(overall, stages, label)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The colours of kept references, and of each stage that dropped some. */
export function Legend({ overall, stages }: { overall: Effect; stages: readonly string[] }) {
  const kinds = [KEPT, ...new Set(stages)].filter((what) => what === KEPT || overall.dropped[what])
  return (
    <p class="legend small">
      {kinds.map((what) => (
        <span key={what} class={`key ${colorName(what, stages)}`}>
          {what === KEPT ? KEPT : `dropped by ${what}`}
        </span>
      ))}
    </p>
  )
}

/** One row per label, and one for all references if there are several labels. */
function rowsOf({ before }: Effect): [Label, string][] {
  const [all, ...labels] = LABELS.filter(([label]) => before[label] > 0)
  return all && labels.length !== 1 ? [all, ...labels] : labels
}

function draw({ overall, stages }: EffectsReport, width: number): Element {
  const rows = rowsOf(overall)
  const parts = rows.flatMap(([label]) => barSegments(overall, stages, label, label))
  return drawBars({ rows: new Map(rows), parts, stages, axisLabel: "share of these references" }, width)
}

/** `88 of 99 kept; above dropped 8, top 2`. */
export function describeKept(
  { before, after, dropped }: Effect,
  stages: readonly string[],
  label: Label = "references",
): string {
  const counts = [...new Set(stages)].map((stage) => [stage, dropped[stage]?.[label] ?? 0] as const)
  const droppedBy = counts
    .filter(([, count]) => count > 0)
    .map(([stage, count]) => `${stage} ${integer(count)}`)
  const kept = `${integer(after[label])} of ${integer(before[label])} kept`
  return droppedBy.length ? `${kept}; dropped by ${droppedBy.join(", ")}` : kept
}
