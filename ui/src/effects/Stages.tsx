import { KEPT, partsOf, type Effect, type EffectsReport, type Label } from "../data/effects"
import { whole } from "../data/words"
import { Picture } from "../pieces/Picture"
import { drawBars, tone } from "./bars"

const LABELS: [Label, string][] = [
  ["references", "all"],
  ["relevant", "relevant"],
  ["irrelevant", "irrelevant"],
  ["unlabelled", "not labelled"],
]

/** What became of references, by what somebody said of them: kept, or dropped by which stage. */
export function Stages({ report }: { report: EffectsReport }) {
  const { overall, stages } = report
  const rows = rowsOf(overall)
  return (
    <section class="card">
      <h2>What was kept, and which stage dropped the rest</h2>
      <Legend overall={overall} stages={stages} />
      <Picture
        of={report}
        draw={drawn}
        said={`Bars of what was kept: ${rows.map(([label, name]) => `${name}: ${inWords(overall, stages, label)}`).join("; ")}`}
        class="picture"
      />
      <ul class="small below counts">
        {rows.map(([label, name]) => (
          <li key={label}>
            <b>{name}</b>: {inWords(overall, stages, label)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The colours of what was kept, and of each stage that dropped something. */
export function Legend({ overall, stages }: { overall: Effect; stages: readonly string[] }) {
  const kinds = [KEPT, ...new Set(stages)].filter((what) => what === KEPT || overall.dropped[what])
  return (
    <p class="legend small">
      {kinds.map((what) => (
        <span key={what} class={`key ${tone(what, stages)}`}>
          {what === KEPT ? KEPT : `dropped by ${what}`}
        </span>
      ))}
    </p>
  )
}

/** A row for each label that there is; all of them together, unless one label is all. */
function rowsOf({ before }: Effect): [Label, string][] {
  const [all, ...labels] = LABELS.filter(([label]) => before[label] > 0)
  return all && labels.length !== 1 ? [all, ...labels] : labels
}

function drawn({ overall, stages }: EffectsReport, width: number): Element {
  const rows = rowsOf(overall)
  const parts = rows.flatMap(([label]) => partsOf(overall, stages, label, label))
  return drawBars({ rows: new Map(rows), parts, stages, of: "share of these references" }, width)
}

/** `88 of 99 kept; above dropped 8, top 2`. */
export function inWords(
  { before, after, dropped }: Effect,
  stages: readonly string[],
  label: Label = "references",
): string {
  const counts = [...new Set(stages)].map((stage) => [stage, dropped[stage]?.[label] ?? 0] as const)
  const gone = counts.filter(([, count]) => count > 0).map(([stage, count]) => `${stage} ${whole(count)}`)
  const kept = `${whole(after[label])} of ${whole(before[label])} kept`
  return gone.length ? `${kept}; dropped by ${gone.join(", ")}` : kept
}
