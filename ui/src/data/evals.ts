/** The distribution of one metric over the complete run. */
export interface Distribution {
  metric: string
  /** Name of the encoder, for metrics that compare meaning. */
  encoder: string
  n: number
  mean: number | null
  low: number | null
  high: number | null
  na: number
  /** Number of n/a scores by reason. */
  missing: Record<string, number>
  /** The most frequent reason, or the error where scoring failed. */
  because?: string | null
  /** The range that the bins of `counts` cover. */
  from: number
  to: number
  counts: number[]
  /** The cutoff from which a score counts as high: uncalibrated. */
  line: number
}

/** The means of one slice of questions, one per metric. */
export interface SliceRow {
  value: string
  questions: number
  means: (number | null)[]
  n: number[]
}

export interface SliceKey {
  key: string
  values: SliceRow[]
  /** How many more values there are. */
  others: number
}

/** A run of a comparison. */
export interface RunReference {
  run: number | string
  name?: string
  at?: string
}

export interface Change {
  metric: string
  encoder?: string
  n: number
  before: number | null
  after: number | null
  difference: number | null
  low: number | null
  high: number | null
  p: number | null
  adjusted: number | null
  /** Whether the difference is significant. */
  claim: boolean
  effect: number | null
  better: number | null
  worse: number | null
  na_before?: number
  na_after?: number
}

export interface LargestChange {
  id: string
  metric: string
  before: number | null
  after: number | null
}

export interface Comparison {
  before: RunReference
  after: RunReference
  metrics: Change[]
  /** Human labels, compared as metrics are; `metric` is the name of the label. */
  labels?: Change[]
  slices?: { slice: string; metrics: Change[] }[]
  moved?: LargestChange[]
  only_before?: string[]
  only_after?: string[]
  /** The same id with a different text: not compared. */
  reworded?: string[]
  /** Questions that had a score before and are n/a now. */
  lost?: { metric: string; encoder: string; ids: string[] }[]
  notes?: string[]
}

export interface TrendPoint {
  run: number | string
  name?: string
  at: string
  metric: string
  encoder?: string
  n: number
  mean: number | null
  low: number | null
  high: number | null
  na: number
  /** The run that `change` refers to, over the questions of both. */
  previous?: number | null
  change?: number | null
  adjusted?: number | null
}

export interface Agreement {
  metric: string
  encoder?: string
  label: string
  n: number
  spearman: number | null
  spearman_low: number | null
  spearman_high: number | null
  auroc: number | null
  auroc_low: number | null
  auroc_high: number | null
  /** Answers that AUROC excludes: as many raters chose 0 as 1. */
  split?: number
  /** Why there is no AUROC; empty if there is one. */
  no_auroc?: string
}

/** The answers that are shown, column by column; a missing score is null. */
export interface Rows {
  position: number[]
  id: string[]
  title: string[]
  /** One column per metric. */
  values: (number | null)[][]
  /** The values of the rows that are shown; `of` is their number in the complete run. */
  slices: Record<string, { values: string[]; rows: (number | null)[]; of: number }>
  labels: Record<string, (number | null)[]>
}

/** A run as written into the page; its texts are stored separately in packs. */
export interface EvalsIndex {
  run: number
  name: string
  project: string
  test: string
  at: string
  questions: number
  whole: boolean
  encoder: string
  embedding: Record<string, unknown>
  generation: Record<string, unknown>
  conditions: Record<string, unknown>
  /** Questions that the run has processed so far. */
  reached: number
  answered: number
  /** Processed, and not answered. */
  unanswered: number
  metrics: Distribution[]
  axes: { across: number; upwards: number; facts: number | null; correct: number | null } | null
  /** Number of shown answers by the reason for showing them, if not all are shown. */
  reasons: Record<string, number>
  /**
   * Answers that are not shown, as counts: x and y in hundredths (-1 is n/a), whether a fact differs (2: and makes
   * the answer wrong), how many, and whether they are wrong (-1 is unknown).
   */
  cells: [across: number, upwards: number, differs: number, count: number, wrong?: number][]
  slices: SliceKey[]
  rows: Rows
  comparison: Comparison | null
  trend: TrendPoint[]
  agreement: Agreement[]
  pack: number
}

/** A fact that differs, and its position in both texts. */
export interface DifferingFact {
  kind: string
  note: string
  at: [number, number] | null
  against: [number, number] | null
}

/** A question with its answer, unpacked when it is opened. */
export interface EvalPair {
  question: string | null
  expected: string | null
  answer: string | null
  error: string | null
  passages: string[]
  /** Whether the prompt is known to have contained no passages. */
  bare: boolean
  left_out: number
  /** Reason and error of each score, by the index of the metric. */
  because: Record<string, [because: string | null, error: string | null]>
  facts: DifferingFact[]
  latency_ms: number | null
  cost: number | null
}

/** A metric's name, with its encoder if the run has the metric with several encoders. */
export function metricName(metrics: readonly { metric: string; encoder?: string }[], at: number): string {
  const { metric, encoder } = metrics[at]!
  const several = metrics.filter((one) => one.metric === metric).length > 1
  return several && encoder ? `${metric} · ${encoder}` : metric
}

/** The most important metrics; the others are parts or variants of these. */
export const HEADLINE = [
  "correctness",
  "fact_agreement",
  "semantic_similarity",
  "lexical_aggregate",
  "grounded",
  "llm_judged_overall",
]

/** Indexes of the metrics in display order: the headline metrics first. */
export function headlineFirst(metrics: readonly { metric: string }[]): number[] {
  const rank = (at: number) =>
    (HEADLINE.indexOf(metrics[at]!.metric) + HEADLINE.length + 1) % (HEADLINE.length + 1)
  return metrics.map((_, at) => at).sort((one, other) => rank(one) - rank(other) || one - other)
}
