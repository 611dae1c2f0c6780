/** What one metric read over the whole run. */
export interface Spread {
  metric: string
  /** What the encoder is called, of metrics that compare meaning. */
  encoder: string
  n: number
  mean: number | null
  low: number | null
  high: number | null
  na: number
  /** How many are n/a, by the reason. */
  missing: Record<string, number>
  /** The most frequent reason in words: what went wrong, where reading failed. */
  because?: string | null
  /** From where to where the steps go that `counts` counts in. */
  from: number
  to: number
  counts: number[]
  /** Where it begins to be high: hand-picked. */
  line: number
}

/** The means of one kind of question, a number a metric. */
export interface SliceRow {
  value: string
  questions: number
  means: (number | null)[]
  n: number[]
}

export interface SliceKey {
  key: string
  values: SliceRow[]
  /** How many values more there are. */
  others: number
}

/** Which run is told of where two are compared. */
export interface Brief {
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
  /** Whether the difference is more than chance easily brings. */
  claim: boolean
  effect: number | null
  better: number | null
  worse: number | null
  na_before?: number
  na_after?: number
}

export interface Moved {
  id: string
  metric: string
  before: number | null
  after: number | null
}

export interface Comparison {
  before: Brief
  after: Brief
  metrics: Change[]
  /** What people said, compared as metrics are; `metric` is the name of the label. */
  labels?: Change[]
  slices?: { slice: string; metrics: Change[] }[]
  moved?: Moved[]
  only_before?: string[]
  only_after?: string[]
  /** The same id with other words: not compared. */
  reworded?: string[]
  /** Questions that were read before and are n/a now. */
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
  /** The run of which `change` is a change, over the questions of both. */
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
  /** Answers that AUROC leaves out: as many raters said 0 as 1. */
  split?: number
  /** Why there is no AUROC; empty where there is one. */
  no_auroc?: string
}

/** The answers that are shown, column by column; what could not be read is null. */
export interface Rows {
  position: number[]
  id: string[]
  title: string[]
  /** A column a metric. */
  values: (number | null)[][]
  /** The values of what is shown; `of` is how many the whole run has. */
  slices: Record<string, { values: string[]; rows: (number | null)[]; of: number }>
  labels: Record<string, (number | null)[]>
}

/** A run as it is written into the page; its texts lie beside it in packs. */
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
  /** Questions that were put to somebody; those that a run has passed over are not among them. */
  reached: number
  answered: number
  /** Reached, and not answered. */
  unanswered: number
  metrics: Spread[]
  axes: { across: number; upwards: number; facts: number | null; correct: number | null } | null
  /** Why which answers are shown, where not all of them are. */
  reasons: Record<string, number>
  /**
   * Of those that are not: across and upwards in hundredths (-1 is n/a), whether a fact differs (2: and makes
   * it wrong), how many, and whether they are wrong (-1 is not known).
   */
  cells: [across: number, upwards: number, differs: number, count: number, wrong?: number][]
  slices: SliceKey[]
  rows: Rows
  comparison: Comparison | null
  trend: TrendPoint[]
  agreement: Agreement[]
  pack: number
}

/** A fact that differs, and where it stands on both sides. */
export interface DifferingFact {
  kind: string
  note: string
  at: [number, number] | null
  against: [number, number] | null
}

/** A question with its answer, as it is unpacked when somebody opens it. */
export interface EvalPair {
  question: string | null
  expected: string | null
  answer: string | null
  error: string | null
  passages: string[]
  /** Whether the prompt is known to have held no passages. */
  bare: boolean
  left_out: number
  /** Why it is so, and what went wrong, by the number of the metric. */
  because: Record<string, [because: string | null, error: string | null]>
  facts: DifferingFact[]
  latency_ms: number | null
  cost: number | null
}

/** A metric's name, with its encoder where the run has it by several. */
export function metricName(metrics: readonly { metric: string; encoder?: string }[], at: number): string {
  const { metric, encoder } = metrics[at]!
  const several = metrics.filter((one) => one.metric === metric).length > 1
  return several && encoder ? `${metric} · ${encoder}` : metric
}

/** What is looked for first; every other metric is a part of one of these, or another view of it. */
export const HEADLINE = [
  "correctness",
  "fact_agreement",
  "semantic_similarity",
  "lexical_aggregate",
  "grounded",
  "llm_judged_overall",
]

/** The numbers of some metrics in the order in which they are told: the headline first, then as they come. */
export function headlineFirst(metrics: readonly { metric: string }[]): number[] {
  const rank = (at: number) =>
    (HEADLINE.indexOf(metrics[at]!.metric) + HEADLINE.length + 1) % (HEADLINE.length + 1)
  return metrics.map((_, at) => at).sort((one, other) => rank(one) - rank(other) || one - other)
}
