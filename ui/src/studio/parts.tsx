import type { ComponentChildren } from "preact"
import { integer, percent } from "../data/format"
import type { Go } from "./route"
import type { Rate, RequestError } from "./api"

/** A link within the Studio; with a modifier key it opens as any other link does. */
export function Link(props: {
  to: string
  go: Go
  class?: string
  /** Whether it leads to the page that is shown. */
  current?: boolean
  children: ComponentChildren
}) {
  const { to, go, class: name, current, children } = props
  return (
    <a
      href={to}
      class={name}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

export function Failure({ error, onRetry }: { error: RequestError; onRetry?: () => void }) {
  return (
    <div class="notice notice-error" role="alert">
      <p>{error.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** A page that is not there, or cannot be read. */
export function PageFailure(props: { error: RequestError; onRetry: () => void }) {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1>This page cannot be shown</h1>
      <Failure {...props} />
    </main>
  )
}

export function PageLoading({ what }: { what: string }) {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1 class="sr">Studio</h1>
      <Loading what={what} />
    </main>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="empty loading" role="status">
      Loading {what} …
    </p>
  )
}

/** A number by its metric: shares as percentages. */
export function metricValue(metric: string | null, value: number | null): string {
  if (value === null) return "n/a"
  if (metric === "passed") return percent(value)
  return Math.abs(value) >= 100 ? integer(Math.round(value)) : value.toFixed(3)
}

export function rateText({ value, low, high, n }: Rate): string {
  return `${percent(value)} of ${integer(n)} passed (95% interval ${percent(low)} to ${percent(high)})`
}

/** When it was, in the time of the reader. */
export function moment(at: string | undefined): string {
  if (!at || at.startsWith("1970")) return ""
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number) => String(value).padStart(2, "0")
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The numbers of earlier runs as a small line; the last one is marked. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span class="none">–</span>
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const flat = high - low < 1e-9
  const x = (at: number) => 3 + (at * 90) / (values.length - 1)
  const y = (value: number) => (flat ? 12 : 21 - ((value - low) / (high - low)) * 18)
  const path = values
    .map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("")
  const last = values.length - 1
  const change = values[last]! - values[last - 1]!
  const words = Math.abs(change) < 1e-9 ? "unchanged" : change > 0 ? "up" : "down"
  return (
    <svg
      class="sparkline"
      viewBox="0 0 96 24"
      role="img"
      aria-label={`Trend of ${values.length} runs, ${words} since the last one`}
    >
      <path d={path} />
      <circle cx={x(last)} cy={y(values[last]!)} r="3" />
    </svg>
  )
}

/** A labelled select; the first choice is none. */
export function Select(props: {
  label: string
  value: string
  choices: readonly (string | [value: string, name: string])[]
  all?: string | undefined
  onChoose: (value: string) => void
}) {
  const { label, value, choices, all = `${label}: all`, onChoose } = props
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {all !== "" && <option value="">{all}</option>}
      {choices.map((choice) => {
        const [key, name] = typeof choice === "string" ? [choice, choice] : choice
        return (
          <option key={key} value={key}>
            {name || "(no name)"}
          </option>
        )
      })}
    </select>
  )
}

export function runTitle(run: { run: number; name?: string }): string {
  return run.name ? `${run.name} · run ${run.run}` : `run ${run.run}`
}
