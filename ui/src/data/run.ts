import type { Outcome } from "./outcome"

/** A line that readings are held against. */
export interface Line {
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

/** All tests at a glance: one list for each thing that is known of them. */
export interface Rows {
  test: number[]
  title: string[]
  source: number[]
  wording: number[]
  outcome: Outcome[]
  score: (number | null)[]
  consistency: string[]
  reason: string[]
  /** Which assertion, its outcome, what it was worth. */
  assertions: [number, Outcome, number | null][][]
  /** Which measure, what it read, the outcome, the line. */
  readings: [number, number, Outcome, number][][]
}

/** What is known of a run without looking at a single answer. */
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
  lines: Line[]
  assertions: Assertion[]
  measures: string[]
  rows: Rows
  /** How many tests each pack of details holds. */
  packs: number[]
}

/** Some words of a text that is not the answer. */
export interface Span {
  where: string
  text: string
  /** Its place in what the assertion wants, as JavaScript counts; not there when it is of another text. */
  at?: [number, number]
}

/** One thing that moved a reading. */
export interface Evidence {
  kind: string
  /** Its place in the answer, as JavaScript counts. */
  at?: [number, number]
  /** What was said, when it stands nowhere in the answer that is shown. */
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
  /** Whether it is the opposite of its only part. */
  turned?: boolean
  parts?: Verdict[]
}

export interface Score {
  type: string
  score: number | null
  weight: number
  metric: string
  /** What the answer was held against. */
  wanted?: string
  /** Of a set of assertions, its own. */
  within?: Score[]
}

/** One of the times that a test was run. */
export interface Run {
  outcome: Outcome
  score: number | null
  latency: number | null
  cost: number | null
  scores: Score[]
  verdict: Verdict
}

/** All that is told of a test once it is opened. */
export interface Detail {
  key: string
  /** Where the test stands. */
  place: string
  metadata: Record<string, unknown>
  passes: number
  runs: Run[]
}

/** What was asked and answered. */
export interface Texts {
  description: string
  prompt: string
  vars: Record<string, unknown>
  /** One for each time that the test was run; null when there was none. */
  answers: (string | null)[]
}
