import type { EvalsIndex } from "./evals"

/** Kinds of answers; the quadrants of the chart are `QUADRANTS`. */
export const KINDS = ["good", "paraphrase", "close", "changed", "bad", "na"] as const
export type Kind = (typeof KINDS)[number]

export const KIND_NAMES: Record<Kind, string> = {
  good: "both good",
  paraphrase: "paraphrase",
  close: "close, but wrong",
  changed: "copied with a changed fact",
  bad: "both bad",
  na: "n/a",
}

/** The quadrants of the chart, with their names in two lines and in short. */
export const QUADRANTS = {
  words: { lines: ["same words,", "other meaning"], short: "words only" },
  both: { lines: ["same words,", "same meaning"], short: "both" },
  neither: { lines: ["other words,", "other meaning"], short: "neither" },
  meaning: { lines: ["other words,", "same meaning"], short: "meaning only" },
} as const
export type QuadrantName = keyof typeof QUADRANTS

/** The metrics of the x- and y-axis, each with the cutoff from which a score counts as high. */
export interface Axes {
  across: number
  upwards: number
  cutoffs: [across: number, upwards: number]
}

/** The axes that are shown first; null if the run has only one metric. */
export function initialAxes({ axes, metrics }: EvalsIndex): Axes | null {
  if (!axes) return null
  const { across, upwards } = axes
  return { across, upwards, cutoffs: [metrics[across]!.line, metrics[upwards]!.line] }
}

/**
 * The kind of an answer. A copy with one changed fact has nearly the same meaning for an encoder: so if it is
 * known whether an answer is wrong, that decides, and the similarity only otherwise.
 */
export function kindOf(
  x: number | null,
  y: number | null,
  wrong: boolean | null,
  [across, upwards]: Axes["cutoffs"],
): Kind {
  if (x === null || y === null) return "na"
  if (y >= upwards) return (wrong ?? x < across) ? "changed" : "good"
  if (x >= across) return wrong ? "close" : "paraphrase"
  return "bad"
}

/** The cutoff from which an answer counts as correct: uncalibrated. */
const CORRECT_CUTOFF = 0.5

/** Whether an answer is wrong: by human label, else by its correctness, else by its facts; null is unknown. */
export function isWrong(label: number | null, correct: number | null, facts: number | null): boolean | null {
  if (label !== null && label !== CORRECT_CUTOFF) return label < CORRECT_CUTOFF
  if (correct !== null) return correct < CORRECT_CUTOFF
  return facts === null ? null : facts < 1
}

/** The label that states whether answers are correct: `correct`, or the only one; null if it is a grade. */
export function correctnessLabel({ rows: { labels } }: EvalsIndex): string | null {
  const names = Object.keys(labels)
  const name = names.includes("correct") ? "correct" : names.length === 1 ? names[0]! : null
  if (name === null) return null
  return labels[name]!.every((value) => value === null || (value >= 0 && value <= 1)) ? name : null
}

/** Whether each shown answer is wrong; null is unknown. */
export function wrongAnswers(index: EvalsIndex): (boolean | null)[] {
  const { rows, axes } = index
  const label = correctnessLabel(index)
  const column = (at: number | null | undefined) => (at == null ? null : rows.values[at]!)
  const [labelled, correct, facts] = [
    label === null ? null : rows.labels[label]!,
    column(axes?.correct),
    column(axes?.facts),
  ]
  return rows.id.map((_, row) =>
    isWrong(labelled?.[row] ?? null, correct?.[row] ?? null, facts?.[row] ?? null),
  )
}

/** Whether a fact of an answer differs from the expected answer, or is missing. */
export function factsDiffer({ axes, rows }: EvalsIndex, row: number): boolean {
  const agreement = axes?.facts == null ? null : rows.values[axes.facts]![row]!
  return agreement !== null && agreement < 1
}

/** The kind of every shown answer. */
export function kindsOf(index: EvalsIndex, axes: Axes): Kind[] {
  const [x, y] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  const wrong = wrongAnswers(index)
  return x.map((at, row) => kindOf(at, y[row]!, wrong[row]!, axes.cutoffs))
}

export type Counts = Record<Kind, number>

/** Number of answers by kind: of the complete run, or of the shown answers if these axes are counted for no others. */
export function countsOf(
  index: EvalsIndex,
  axes: Axes,
  kinds: readonly Kind[],
): { counts: Counts; complete: boolean } {
  const counts: Counts = { good: 0, paraphrase: 0, close: 0, changed: 0, bad: 0, na: 0 }
  for (const kind of kinds) counts[kind]++
  const hidden = index.reached - kinds.length
  const isCounted = axes.across === index.axes?.across && axes.upwards === index.axes.upwards
  if (!hidden || !isCounted) return { counts, complete: !hidden }
  const scoreOf = (cell: number) => (cell < 0 ? null : cell / 100)
  for (const [x, y, differs, count, wrong] of index.cells)
    counts[kindOf(scoreOf(x), scoreOf(y), wrongInCell(differs, wrong), axes.cutoffs)] += count
  return { counts, complete: true }
}

/** Whether the answers of a cell are wrong; if that is not recorded, a differing fact may decide. */
function wrongInCell(differs: number, wrong: number | undefined): boolean | null {
  if (wrong === undefined) return differs === 2 ? true : null
  return wrong < 0 ? null : wrong === 1
}
