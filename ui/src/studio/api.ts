import { useEffect, useState } from "preact/hooks"
import type { Comparison, Change, EvalPair, EvalsIndex } from "../data/evals"
import type { Outcome } from "../data/outcome"
import type { Detail, Index, Texts } from "../data/run"

/** Where the Studio is served. */
export const BASE = "/studio"

export type Counts = Record<Outcome, number>
export type Kind = "suite" | "evaluation" | "large"

export interface Rate {
  value: number
  low: number
  high: number
  n: number
}

export interface Me {
  version: string
  project: string | null
  may_label: boolean
  may_run: boolean
  may_search_by_pattern: boolean
  rater: string
  /** Whether the service has figures of its messages. */
  has_week: boolean
  places: string[]
}

export interface ListedRun {
  id: string
  kind: Kind
  place: string
  run: number
  project?: string
  test?: string
  name?: string
  at?: string
  done?: number
  size?: number
  complete: boolean
  metric: string | null
  value: number | null
  error: string | null
  pending: boolean
  state: "complete" | "interrupted" | "unreadable" | "reading"
  trend: number[]
}

export interface RunsReply {
  total: number
  all: number
  start: number
  projects: string[]
  kinds: Kind[]
  runs: ListedRun[]
}

export interface Job {
  command: string
  running: boolean
  exit_code: number | null
  lines: string[]
}

export interface RunHead {
  id: string
  kind: Kind
  run: number
  name: string
  project: string
  test: string
  at: string
  done: number
  size: number
  complete: boolean
  conditions: Record<string, unknown>
  can_resume: boolean
  can_rerun: boolean
  can_label: boolean
  job: Job | null
}

export interface Row {
  at: number
  test: number
  id: string
  title: string
  outcome: Outcome
  value: number | null
  slices: Record<string, string>
  labels: Record<string, number>
  before?: Outcome
}

/** Whether all rows are there, or the first ones of a large run that is being read. */
interface Progress {
  indexed: boolean
  of: number
}

export interface RowsReply extends Progress {
  total: number
  start: number
  counts: Counts
  rows: Row[]
}

export interface MetricFigures {
  metric: string
  encoder: string
  n: number
  mean: number | null
  low: number | null
  high: number | null
  na: number
  from: number
  to: number
  bins: Partial<Record<Outcome, number[]>>
}

export interface SliceFigures {
  key: string
  values: { value: string; rows: number; counts: Counts; rate: Rate | null; mean: number | null }[]
  others: number
}

export interface SummaryReply extends Progress {
  rows: number
  counts: Counts
  rate: Rate | null
  /** The metric that says most of an answer. */
  headline: string | null
  metrics: MetricFigures[]
  slices: SliceFigures[]
  labels: Record<string, [number, number][]>
}

export interface GridCell {
  at: number
  source: string
  prompt: string
  outcome: Outcome
  score: number | null
  answer: string | null
  because: string
}

export interface GridReply extends Progress {
  total: number
  tests: { test: number; title: string; id: string; cells: GridCell[] }[]
}

/** One row in full: the data of a report with this row alone. */
export type RowDetailReply =
  | { kind: "test"; index: Index; items: { detail: Detail; texts: Texts }[]; row: number; rows: number[] }
  | { kind: "answer"; index: EvalsIndex; pair: EvalPair }

export interface StudioComparison extends Comparison {
  leading: string[]
  not_known: string[]
  correction: string
  verdict: "worse" | "better" | "same" | "unknown"
  n: number
  items: string
  alpha: number
  regression_count: number
  fix_count: number
}

export interface Standing {
  id: string
  run: number
  name: string
  project: string
  test: string
  at: string
  rows: number
  complete: boolean
  counts: Counts
  rate: Rate | null
  /** The means of human labels; `metric` is the name of the label. */
  labels: Pick<MetricFigures, "metric" | "n" | "mean" | "low" | "high">[]
  metrics: Omit<MetricFigures, "bins">[]
  comparison?: StudioComparison
  error?: string
}

export interface CompareReply {
  baseline: string
  runs: Standing[]
}

export type ChangeKind = "regression" | "to error" | "worse" | "other" | "fix" | "from error" | "better"

export interface ChangedRow {
  at: number
  before_at: number
  id: string
  title: string
  kind: ChangeKind
  before: Outcome
  after: Outcome
  /** What people said of it, before and now. */
  said: [number | null, number | null]
  value_before: number | null
  value_after: number | null
}

export interface ChangedRowsReply {
  total: number
  start: number
  counts: Record<ChangeKind, number>
  rows: ChangedRow[]
  label: string | null
  metric: string | null
  both: number
  only_after: number
  only_before: number
  indexed: boolean
}

export type { Change }

/** What the server refused, in words, with its status. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

/** Asks the server; `path` begins after `/api`. */
export async function request<T>(path: string, options: RequestInit = {}): Promise<T> {
  const reply = await fetch(`${BASE}/api${path}`, { ...options, credentials: "same-origin" }).catch(() => {
    throw new RequestError("The server does not answer. Is `sensecheck studio` still running?", 0)
  })
  const text = await reply.text()
  if (reply.ok) return (text ? JSON.parse(text) : null) as T
  throw new RequestError(messageIn(text) ?? `The server replied with status ${reply.status}.`, reply.status)
}

/** Changes something; the header says that it is this page that asks. */
export function send<T>(path: string, body: unknown = {}): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Sensecheck-Studio": "1" },
    body: JSON.stringify(body),
  })
}

function messageIn(text: string): string | null {
  try {
    const { error, detail } = JSON.parse(text) as { error?: unknown; detail?: unknown }
    const found = error ?? detail
    return typeof found === "string" ? found : null
  } catch {
    return null
  }
}

export interface Loaded<T> {
  data: T | null
  error: RequestError | null
  loading: boolean
  reload: () => void
}

/** What the server replies; the previous reply stays until the next is there. */
export function useRequest<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: RequestError | null }>({
    path: null,
    data: null,
    error: null,
  })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    request<T>(path, { signal: stop.signal }).then(
      (data) => stop.signal.aborted || setState({ path, data, error: null }),
      (error: RequestError) =>
        stop.signal.aborted || setState((before) => ({ path, data: before.data, error })),
    )
    return () => stop.abort()
  }, [path, turn])
  return {
    data: path === null ? null : state.data,
    error: state.path === path ? state.error : null,
    loading: path !== null && state.path !== path,
    reload: () => setTurn((now) => now + 1),
  }
}

/** Asks again after a while, as long as something is not complete. */
export function useReloadWhile(pending: boolean, reload: () => void, milliseconds = 1500): void {
  useEffect(() => {
    if (!pending) return
    const timer = setInterval(reload, milliseconds)
    return () => clearInterval(timer)
  }, [pending])
}
