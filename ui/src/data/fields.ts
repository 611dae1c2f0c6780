import type { EvalsIndex } from "./evals"

/** What kind of answer it is; where it lies is another matter, see `FIELDS`. */
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

/** The fields of the picture, named by what lies high there, in two lines and in short. */
export const FIELDS = {
  words: { lines: ["same words,", "other meaning"], short: "words only" },
  both: { lines: ["same words,", "same meaning"], short: "both" },
  neither: { lines: ["other words,", "other meaning"], short: "neither" },
  meaning: { lines: ["other words,", "same meaning"], short: "meaning only" },
} as const
export type Field = keyof typeof FIELDS

/** Two metrics against each other, with the line from which on each is high. */
export interface Axes {
  across: number
  upwards: number
  lines: [across: number, upwards: number]
}

/** The axes that the page begins with; none where the run has but one metric. */
export function firstAxes({ axes, metrics }: EvalsIndex): Axes | null {
  if (!axes) return null
  const { across, upwards } = axes
  return { across, upwards, lines: [metrics[across]!.line, metrics[upwards]!.line] }
}

/**
 * The kind of an answer. One that was copied with a fact changed keeps nearly all of its meaning for an
 * encoder: so where it is known whether an answer is wrong, that decides, and the closeness only else.
 */
export function kindOf(
  x: number | null,
  y: number | null,
  wrong: boolean | null,
  [across, upwards]: Axes["lines"],
): Kind {
  if (x === null || y === null) return "na"
  if (y >= upwards) return (wrong ?? x < across) ? "changed" : "good"
  if (x >= across) return wrong ? "close" : "paraphrase"
  return "bad"
}

/** From here on people would rather call an answer correct: hand-picked. */
const CORRECT = 0.5

/** Whether an answer is wrong: as people said, else by its correctness, else by its facts; null is not known. */
export function wrongBy(label: number | null, correct: number | null, facts: number | null): boolean | null {
  if (label !== null && label !== CORRECT) return label < CORRECT
  if (correct !== null) return correct < CORRECT
  return facts === null ? null : facts < 1
}

/** The label that says whether answers are correct: the one of that name, or the only one; none where it is a grade. */
export function labelOf({ rows: { labels } }: EvalsIndex): string | null {
  const names = Object.keys(labels)
  const name = names.includes("correct") ? "correct" : names.length === 1 ? names[0]! : null
  if (name === null) return null
  return labels[name]!.every((value) => value === null || (value >= 0 && value <= 1)) ? name : null
}

/** Whether each answer that is shown is wrong, as far as that is known. */
export function wrongsOf(index: EvalsIndex): (boolean | null)[] {
  const { rows, axes } = index
  const label = labelOf(index)
  const column = (at: number | null | undefined) => (at == null ? null : rows.values[at]!)
  const [said, correct, facts] = [
    label === null ? null : rows.labels[label]!,
    column(axes?.correct),
    column(axes?.facts),
  ]
  return rows.id.map((_, row) => wrongBy(said?.[row] ?? null, correct?.[row] ?? null, facts?.[row] ?? null))
}

/** Whether a fact of an answer differs from what was expected, or is missing, as far as that was read. */
export function factsDiffer({ axes, rows }: EvalsIndex, row: number): boolean {
  const read = axes?.facts == null ? null : rows.values[axes.facts]![row]!
  return read !== null && read < 1
}

/** The kind of every answer that is shown. */
export function kindsOf(index: EvalsIndex, axes: Axes): Kind[] {
  const [x, y] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  const wrong = wrongsOf(index)
  return x.map((at, row) => kindOf(at, y[row]!, wrong[row]!, axes.lines))
}

export type Counts = Record<Kind, number>

/** How many answers are of which kind; of the whole run, unless only those shown have these metrics here. */
export function countsOf(
  index: EvalsIndex,
  axes: Axes,
  kinds: readonly Kind[],
): { counts: Counts; whole: boolean } {
  const counts: Counts = { good: 0, paraphrase: 0, close: 0, changed: 0, bad: 0, na: 0 }
  for (const kind of kinds) counts[kind]++
  const hidden = index.reached - kinds.length
  const known = axes.across === index.axes?.across && axes.upwards === index.axes.upwards
  if (!hidden || !known) return { counts, whole: !hidden }
  const read = (cell: number) => (cell < 0 ? null : cell / 100)
  for (const [x, y, differs, count, wrong] of index.cells)
    counts[kindOf(read(x), read(y), wrongIn(differs, wrong), axes.lines)] += count
  return { counts, whole: true }
}

/** What a cell tells of its answers; where it does not say, a fact may that makes them wrong. */
function wrongIn(differs: number, wrong: number | undefined): boolean | null {
  if (wrong === undefined) return differs === 2 ? true : null
  return wrong < 0 ? null : wrong === 1
}
