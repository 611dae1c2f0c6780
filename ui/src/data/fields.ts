import type { EvalsIndex } from "./evals"

/** What kind of answer lies where: each has a name, and a field of the picture. */
export const KINDS = ["good", "paraphrase", "changed", "bad", "na"] as const
export type Kind = (typeof KINDS)[number]

export const KIND_NAMES: Record<Kind, string> = {
  good: "both good",
  paraphrase: "paraphrase",
  changed: "copied with a changed fact",
  bad: "both bad",
  na: "n/a",
}

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
 * encoder too: so where facts were compared they decide, and not the closeness alone. `wrong` is what they say.
 */
export function kindOf(
  x: number | null,
  y: number | null,
  wrong: boolean,
  [across, upwards]: Axes["lines"],
): Kind {
  if (x === null || y === null) return "na"
  if (y >= upwards) return x < across || wrong ? "changed" : "good"
  return x >= across ? "paraphrase" : "bad"
}

/** Whether a fact of an answer differs from what was expected, or is missing, as far as that was read. */
export function factsDiffer({ axes, rows }: EvalsIndex, row: number): boolean {
  const read = axes?.facts == null ? null : rows.values[axes.facts]![row]!
  return read !== null && read < 1
}

/** From here on people would rather call an answer correct: hand-picked. */
const CORRECT = 0.5

/** Whether a differing fact makes an answer wrong, as far as the run can tell. */
export function factsWrong(index: EvalsIndex, row: number): boolean {
  const correct = index.axes?.correct == null ? null : index.rows.values[index.axes.correct]![row]!
  return factsDiffer(index, row) && (correct === null || correct < CORRECT)
}

/** The kind of every answer that is shown. */
export function kindsOf(index: EvalsIndex, axes: Axes): Kind[] {
  const [x, y] = [index.rows.values[axes.across]!, index.rows.values[axes.upwards]!]
  return x.map((at, row) => kindOf(at, y[row]!, factsWrong(index, row), axes.lines))
}

export type Counts = Record<Kind, number>

/** How many answers are of which kind; of the whole run, unless only those shown have these metrics here. */
export function countsOf(
  index: EvalsIndex,
  axes: Axes,
  kinds: readonly Kind[],
): { counts: Counts; whole: boolean } {
  const counts: Counts = { good: 0, paraphrase: 0, changed: 0, bad: 0, na: 0 }
  for (const kind of kinds) counts[kind]++
  const hidden = index.answered - kinds.length
  const known = axes.across === index.axes?.across && axes.upwards === index.axes.upwards
  if (!hidden || !known) return { counts, whole: !hidden }
  const read = (cell: number) => (cell < 0 ? null : cell / 100)
  for (const [x, y, differs, count] of index.cells)
    counts[kindOf(read(x), read(y), differs === 2, axes.lines)] += count
  return { counts, whole: true }
}
