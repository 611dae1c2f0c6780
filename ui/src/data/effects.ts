/** Counts of references that may enter a prompt, over some queries. */
export interface Given {
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

/** What a stage dropped, by label. */
export interface Gone {
  references: number
  relevant: number
  irrelevant: number
  unlabelled: number
}

/** A query that lost its last relevant reference, and those that it lost. */
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
  before: Given
  after: Given
  relevant_lost: number
  irrelevant_removed: number
  dropped: Record<string, Gone>
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

/** What may be said of a figure: below 0, above it, within what chance brings, or looked at too few. */
export type Claim = "below" | "above" | "chance" | "few"

/** How chance is told: `p = 0.012`; what is rounded away is not 0. */
export function chanceOf(pValue: number): string {
  return pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toFixed(3)}`
}

export interface Trend {
  correlation: number
  p_value: number
  confidence: number
  items: number
  orders: number
  claim: Claim
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
  claim: Claim
  fewest_groups: number
}

export interface Scored {
  bare: Curve
  guarded: Curve
  paired: Paired
}

/** What guards did, as it is written into the page. */
export interface EffectsReport {
  source: string
  /** The fingerprint of the encoder that placed texts, if one was asked. */
  encoder: string | null
  stages: string[]
  /** Each stage with what it was told. */
  guards: string[]
  overall: Effect
  position_trend: Trend | null
  lost: LostQuery[]
  /** Whether there are several items, not each of a single query. */
  items_differ: boolean
  items: Item[]
  scored: Scored | null
}

/** A piece of a bar: a share of an item's references, from here to there. */
export interface Part {
  row: string
  what: string
  from: number
  to: number
}

export const KEPT = "kept"

export type Label = keyof Gone

/** What became of references, or of those with a label, as pieces of a bar that reaches from 0 to 1. */
export function partsOf(
  effect: Effect,
  stages: readonly string[],
  row: string,
  label: Label = "references",
): Part[] {
  const counts: [string, number][] = [
    [KEPT, effect.after[label]],
    ...[...new Set(stages)].map((stage): [string, number] => [stage, effect.dropped[stage]?.[label] ?? 0]),
  ]
  let from = 0
  return counts
    .filter(([, count]) => count > 0)
    .map(([what, count]) => {
      const part = { row, what, from, to: from + count / effect.before[label] }
      from = part.to
      return part
    })
}

/** Where most that is relevant was lost comes first; those that lost the same stay in their order. */
export function mostLostFirst(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => other.relevant_lost - one.relevant_lost)
}

/** The steps of a curve as a line goes through them: the first one's risk holds from coverage 0 on. */
export function stepsOf({ points }: Curve): [coverage: number, risk: number][] {
  return points.length ? [[0, points[0]![1]], ...points] : []
}
