import type { ComponentChildren } from "preact"
import { integer } from "../data/format"
import {
  changeText,
  targetOf,
  valueText,
  type FigureName,
  type Interval,
  type WeekFigure,
} from "../data/week"

export const NAMES: Record<FigureName, string> = {
  success: "success rate",
  false_negatives: "false negatives",
  false_positives: "false positives",
  similarity: "average similarity",
  abstentions: "abstentions",
  latency_p50: "median latency",
  latency_p95: "latency (p95)",
}
const MEANINGS: Record<FigureName, string> = {
  success: "judged answers that passed",
  false_negatives: "good answers that were held back",
  false_positives: "bad answers that were let through",
  similarity: "of answers to their passages",
  abstentions: "messages that stayed unsure, or without an answer",
  latency_p50: "time that judging took",
  latency_p95: "95 of 100 answers were judged within it",
}

/** The figures of the week, each with its interval, its target, and the change since the week before. */
export function FigureTiles({ figures }: { figures: readonly WeekFigure[] }) {
  const median = figures.find(({ name }) => name === "latency_p50")
  return (
    <dl class="week-tiles">
      {figures
        .filter(({ name }) => name !== "latency_p50")
        .map((figure) => (
          <FigureTile key={figure.name} figure={figure}>
            {figure.name === "latency_p95" && median && median.value !== null && (
              <p>Median {valueText("latency_p50", median.value)}</p>
            )}
          </FigureTile>
        ))}
    </dl>
  )
}

function FigureTile({ figure, children }: { figure: WeekFigure; children?: ComponentChildren }) {
  const { name, value, interval, n, of, note, met } = figure
  const target = targetOf(figure)
  return (
    <div class="card week-tile" data-figure={name}>
      <dt>
        <b>{NAMES[name]}</b>
        <small>{MEANINGS[name]}</small>
      </dt>
      <dd>
        <p class="week-value">
          <b>{valueText(name, value)}</b>
          {target && <TargetTag met={met} words={target.words} />}
        </p>
        {interval && n > 0 && <IntervalBar figure={figure} limit={target?.limit ?? null} />}
        <p>
          {n === 0 ? (
            `No ${of} yet`
          ) : (
            <>
              {interval &&
                `95% interval ${valueText(name, interval[0])} to ${valueText(name, interval[1])}, `}
              {integer(n)} {of}
            </>
          )}
        </p>
        {note && <p>{note}</p>}
        {children}
        <Change figure={figure} />
      </dd>
    </div>
  )
}

function TargetTag({ met, words }: { met: boolean | null; words: string }) {
  const kind = met === null ? "" : met ? "tag-pass" : "tag-fail"
  const verdict = met === null ? "undecided" : met ? "met" : "missed"
  return (
    <span class={`tag ${kind}`}>
      {met === null ? "?" : met ? "✓" : "✗"} target {words}: {verdict}
    </span>
  )
}

function Change({ figure: { name, change, direction, before } }: { figure: WeekFigure }) {
  if (change === null) return <p class="week-change">Not known in the week before</p>
  const { value, low, high } = change
  return (
    <p class={`week-change week-${direction ?? "same"}`}>
      <b>{changeText(name, value)}</b> since the week before ({valueText(name, before.value)})
      {low !== null && high !== null && (
        <span>
          {direction ?? "no clear change"} (95% interval {changeText(name, low).replace(" points", "")} to{" "}
          {changeText(name, high)})
        </span>
      )}
    </p>
  )
}

/** Both weeks as points with their intervals on one scale, with the target as a dotted line. */
function IntervalBar({ figure, limit }: { figure: WeekFigure; limit: number | null }) {
  const { value, interval, before } = figure
  const seen = [interval, before.n > 0 ? before.interval : null].filter((one) => one !== null)
  const ends = [...seen.flat(), ...(limit === null ? [] : [limit])]
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const margin = Math.max((most - least) * 0.06, 0.002)
  const [from, to] = [Math.max(0, least - margin), Math.min(1, most + margin)]
  const at = (share: number) => `${((share - from) / (to - from)) * 100}%`
  const row = (kind: string, point: number | null, span: Interval | null) =>
    span && (
      <span class={`week-bar ${kind}`}>
        <i style={{ left: at(span[0]), width: `${((span[1] - span[0]) / (to - from)) * 100}%` }} />
        {point !== null && <b style={{ left: at(point) }} />}
      </span>
    )
  return (
    <span class="week-bars" aria-hidden="true">
      {limit !== null && <span class="week-limit" style={{ left: at(limit) }} />}
      {row("week-bar-now", value, interval)}
      {before.n > 0 && row("week-bar-before", before.value, before.interval)}
    </span>
  )
}
