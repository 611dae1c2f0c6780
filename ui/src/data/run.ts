import type { Outcome } from "./outcome"

/** A cutoff that scores are compared with; `doubt` is its unsure band. */
export interface Cutoff {
  line: number
  good: "above" | "below"
  doubt?: [number, number]
  words: string
  calibrated: boolean
  promise?: string
}

/** An assertion as the battery names it. */
export interface Assertion {
  type: string
  metric: string
}

/** All tests in columns. */
export interface Rows {
  test: number[]
  title: string[]
  source: number[]
  wording: number[]
  outcome: Outcome[]
  score: (number | null)[]
  consistency: string[]
  reason: string[]
  /** Index of the assertion, its outcome, its score. */
  assertions: [number, Outcome, number | null][][]
  /** Index of the measure, its score, the outcome, index of the cutoff. */
  readings: [number, number, Outcome, number][][]
}

/** The summary of a run, without answers and details. */
export interface Index {
  battery: string
  description: string
  digest: string
  version: string
  encoder: string
  encoders: string[]
  chosen: Record<string, unknown>
  tests: number
  cells: number
  results: number
  outcomes: Record<Outcome, number>
  inconsistent: number
  passRate: number
  sources: string[]
  wordings: string[]
  lines: Cutoff[]
  assertions: Assertion[]
  measures: string[]
  rows: Rows
  /** Number of tests in each pack of details. */
  packs: number[]
}

/** A quote from a text other than the answer. */
export interface Span {
  where: string
  text: string
  /** Its span in the expected text, in UTF-16 units; absent if it is from another text. */
  at?: [number, number]
}

/** Evidence for a score. */
export interface Evidence {
  kind: string
  /** Its span in the answer, in UTF-16 units. */
  at?: [number, number]
  /** The text, if it is not a span of the shown answer. */
  said?: string
  source?: Span
  closeness?: number
  note?: string
}

export interface Verdict {
  check: string
  outcome: Outcome
  because: string
  value?: number
  read?: string
  unread?: number
  cutoff?: number
  evidence?: Evidence[]
  /** Whether it negates its only part. */
  turned?: boolean
  parts?: Verdict[]
}

export interface Score {
  type: string
  score: number | null
  weight: number
  metric: string
  /** The text that the answer was compared with. */
  wanted?: string
  /** The assertions of a set. */
  within?: Score[]
}

/** One run of a test. */
export interface Run {
  outcome: Outcome
  score: number | null
  latency: number | null
  cost: number | null
  scores: Score[]
  verdict: Verdict
}

/** The details of a test, unpacked when it is opened. */
export interface Detail {
  key: string
  /** File, line and column of the test. */
  place: string
  metadata: Record<string, unknown>
  passes: number
  runs: Run[]
}

/** The texts of a test. */
export interface Texts {
  description: string
  prompt: string
  vars: Record<string, unknown>
  /** One per run of the test; null if there was no answer. */
  answers: (string | null)[]
}
