/** Counts of references that are passed on, over some queries. */
export interface ReferenceCounts {
  queries: number
  references: number
  relevant: number
  irrelevant: number
  unlabelled: number
  chars: number
  queries_with_any: number
  queries_with_relevant: number
  coverage: number | null
  relevant_coverage: number | null
  queries_labelled: number
}

/** References that a stage dropped, by label. */
export interface DroppedCounts {
  references: number
  relevant: number
  irrelevant: number
  unlabelled: number
}

/** A query that lost its last relevant reference, with the relevant references that it lost. */
export interface LostQuery {
  id?: string | number
  item: string
  query: string
  references: LostReference[]
}

export interface LostReference {
  id?: string
  text: string
  closeness: number
  stage: string
  because: string
  source?: string
}

export interface Budget {
  unit: string
  used: number
  budget: number
}

export interface Effect {
  before: ReferenceCounts
  after: ReferenceCounts
  relevant_lost: number
  irrelevant_removed: number
  dropped: Record<string, DroppedCounts>
  cut: number
  budgets: Record<string, Budget>
  kept_by_budget: number | null
}

export interface Item extends Effect {
  item: string
  position: number
}

export interface Interval {
  low: number
  high: number
}

/** The result of a test: significantly below 0, significantly above it, not significant, or too few data. */
export type Conclusion = "below" | "above" | "chance" | "few"

/** `p = 0.012`; a small value is shown as `p < 0.001`, never as 0. */
export function formatPValue(pValue: number): string {
  return pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toFixed(3)}`
}

export interface Trend {
  correlation: number
  p_value: number
  confidence: number
  items: number
  orders: number
  claim: Conclusion
  fewest_items: number
}

export interface Curve {
  outputs: number
  abstained: number
  highest_coverage: number
  aurc: number
  best: number
  by_chance: number
  worst: number
  points: [coverage: number, risk: number][]
}

export interface Paired {
  shared_coverage: number
  bare: number
  guarded: number
  difference: number
  interval: Interval | null
  p_value: number
  confidence: number
  outputs: number
  groups: number
  resamples: number
  seed: number
  without_overlap: number
  claim: Conclusion
  fewest_groups: number
}

export interface Scored {
  bare: Curve
  guarded: Curve
  paired: Paired
}

/** The effects of guards, as written into the page. */
export interface EffectsReport {
  source: string
  /** Fingerprint of the encoder, if one was used. */
  encoder: string | null
  stages: string[]
  /** Each stage with its parameters. */
  guards: string[]
  overall: Effect
  position_trend: Trend | null
  lost: LostQuery[]
  /** Whether there are several items, and some with more than one query. */
  items_differ: boolean
  items: Item[]
  scored: Scored | null
}

/** A segment of a bar: a share of an item's references, with its start and end. */
export interface BarSegment {
  row: string
  what: string
  from: number
  to: number
}

export const KEPT = "kept"

export type Label = keyof DroppedCounts

/** References, or those with a label, by what happened to them: the segments of a bar from 0 to 1. */
export function barSegments(
  effect: Effect,
  stages: readonly string[],
  row: string,
  label: Label = "references",
): BarSegment[] {
  const counts: [string, number][] = [
    [KEPT, effect.after[label]],
    ...[...new Set(stages)].map((stage): [string, number] => [stage, effect.dropped[stage]?.[label] ?? 0]),
  ]
  let from = 0
  return counts
    .filter(([, count]) => count > 0)
    .map(([what, count]) => {
      const segment = { row, what, from, to: from + count / effect.before[label] }
      from = segment.to
      return segment
    })
}

/** Items with the most lost relevant references first; the sort is stable. */
export function sortByRelevantLost(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => other.relevant_lost - one.relevant_lost)
}

/** The points of a step curve; the risk of the first one holds from coverage 0 on. */
export function curveSteps({ points }: Curve): [coverage: number, risk: number][] {
  return points.length ? [[0, points[0]![1]], ...points] : []
}
