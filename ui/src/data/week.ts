import { share } from "./card"
import { duration, integer } from "./format"

/** The format of the data that `server/review/week.py` writes. */
export const FORMAT = 1

export type FigureName =
  | "success"
  | "false_negatives"
  | "false_positives"
  | "similarity"
  | "abstentions"
  | "latency_p50"
  | "latency_p95"

export type Interval = [low: number, high: number]

export interface WeekFigure {
  name: FigureName
  good: "up" | "down" | null
  /** What was counted. */
  of: string
  value: number | null
  /** None for means and percentiles. */
  interval: Interval | null
  /** `at least 0.95`, `below 0.01`, or empty. */
  target: string
  met: boolean | null
  n: number
  note: string | null
  before: { value: number | null; interval: Interval | null; n: number }
  change: { value: number; low: number | null; high: number | null } | null
  /** Null where it cannot be told. */
  direction: "better" | "worse" | "changed" | null
}

export interface Day {
  day: string
  messages: number
  validation_success_rate: number | null
  avg_similarity_score: number | null
  latency_validation_p95_ms: number | null
}

export interface WeekFacts {
  first_day: string
  last_day: string
  messages: number
  judged: number
  outcomes: Record<string, number>
  feedback: Record<string, number>
  days: Day[]
}

export interface InUse {
  part: "policy" | "encoder" | "reader" | "writer"
  name: string
  messages: number
  before: number
}

export interface FittedPolicy {
  mark: string
  base: string
  at: string
  cutoff: number
  cutoff_before: number | null
  promise: string
  rows: number
}

export interface Needed {
  accepted: number
  rejected: number
}

export interface WeekData {
  format: number
  version: string
  project: string
  made_at: string
  is_over: boolean
  figures: WeekFigure[]
  week: WeekFacts
  before: WeekFacts
  labels: {
    accepted: number
    rejected: number
    not_at_random: number
    needed: Record<string, Needed | null>
    notes: Record<string, string>
  }
  in_use: InUse[]
  fitted: FittedPolicy[]
}

const isTime = (name: FigureName) => name.startsWith("latency")

/** A value as its figure is read: a share in percent, a time in milliseconds, a mean as it is. */
export function valueText(name: FigureName, value: number | null): string {
  if (value === null) return "–"
  if (isTime(name)) return duration(value)
  return name === "similarity" ? value.toFixed(3) : share(value)
}

/** A change with its sign: points of percent, milliseconds or thousandths. */
export function changeText(name: FigureName, change: number): string {
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±"
  const size = Math.abs(change)
  if (isTime(name)) return `${sign}${duration(size)}`
  return name === "similarity" ? `${sign}${size.toFixed(3)}` : `${sign}${(size * 100).toFixed(1)} points`
}

/** The number in a target, and the target in words. */
export function targetOf({ name, target }: WeekFigure): { limit: number; words: string } | null {
  const limit = Number(/[\d.]+$/.exec(target)?.[0] ?? NaN)
  if (Number.isNaN(limit)) return null
  const shown = name === "similarity" ? String(limit) : share(limit)
  return { limit, words: target.replace(/[\d.]+$/, shown) }
}

/** How many targets are met, in a sentence. */
export function targetsText(figures: readonly WeekFigure[]): string {
  const aimed = figures.filter(({ target }) => target !== "")
  const count = (met: boolean | null) => aimed.filter((one) => one.met === met).length
  const parts = (
    [
      [true, "met"],
      [false, "missed"],
      [null, "undecided"],
    ] as const
  )
    .map(([met, word]) => [count(met), word] as const)
    .filter(([found]) => found > 0)
    .map(([found, word]) => `${integer(found)} ${word}`)
  return `Targets: ${parts.join(", ")}.`
}

/** The day after so many days; days are those of UTC. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

export function weekday(day: string): string {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!
}

/** `9 Nov 2026`; without the year where it is that of the next day in the text. */
function dayText(day: string, withYear = true): string {
  const [year, month, date] = day.split("-").map(Number)
  return `${date} ${MONTHS[month! - 1]}${withYear ? ` ${year}` : ""}`
}

/** `9 to 15 Nov 2026`, `28 Nov to 4 Dec 2026`. */
export function spanText(first: string, last: string): string {
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))} to ${dayText(last)}`
  return `${dayText(first, first.slice(0, 4) !== last.slice(0, 4))} to ${dayText(last)}`
}
