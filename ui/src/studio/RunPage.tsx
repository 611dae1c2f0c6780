import { useEffect, useRef, useState } from "preact/hooks"
import { isOutcome, type Outcome } from "../data/outcome"
import { integer, percent, toText } from "../data/format"
import { OutcomeBar } from "../components/OutcomeBar"
import { OutcomeFilter } from "../components/OutcomeFilter"
import { useKeys } from "../components/useKeys"
import {
  BASE,
  type Counts,
  send,
  useReloadWhile,
  useRequest,
  type Job,
  type Me,
  type RequestError,
  type RunHead,
  type RunsReply,
  type SummaryReply,
} from "./api"
import { Figures } from "./Figures"
import { GridView } from "./GridView"
import { Failure, Link, Loading, PageFailure, PageLoading, moment, rateText, runTitle, Select } from "./parts"
import { calibrateLink, compareLink, reviewLink, type Go, type SetParams } from "./route"
import { RowDetail } from "./RowDetail"
import { RowList } from "./RowList"
import { useRows } from "./useRows"

interface Props {
  id: string
  me: Me
  go: Go
  params: URLSearchParams
  setParams: SetParams
}

/** Parameters of the address that choose rows; the others say what is shown of them. */
const FILTERS = ["outcome", "q", "regex", "metric", "low", "high", "label", "changed", "baseline", "order"]

export function rowFilters(params: URLSearchParams): string {
  const kept = [...params].filter(([name]) => FILTERS.includes(name) || name.startsWith("slice."))
  return new URLSearchParams(kept).toString()
}

/** One run: its rows to the left, and one of them, its figures or its grid to the right. */
export function RunPage({ id, me, go, params, setParams }: Props) {
  const head = useRequest<RunHead>(`/runs/${id}`)
  const filters = rowFilters(params)
  const rows = useRows(id, filters)
  const summary = useRequest<SummaryReply>(`/runs/${id}/summary?${filters}`)
  useReloadWhile(summary.data?.indexed === false, summary.reload, 2000)
  const open = params.has("row") ? Number(params.get("row")) : null
  const view = params.get("view") ?? "figures"
  const field = useRef<HTMLInputElement>(null)
  const outcomes = new Set((params.get("outcome") ?? "").split(",").filter(isOutcome))
  const toggle = (outcome: Outcome) => {
    if (!outcomes.delete(outcome)) outcomes.add(outcome)
    setParams({ outcome: [...outcomes].join(","), row: null })
  }
  const step = (by: number) => {
    const at = Math.max(0, Math.min(rows.total - 1, (rows.placeOf(open) ?? -1) + by))
    const row = rows.get(at)
    if (row) setParams({ row: String(row.at) })
  }
  useKeys({
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    "/": () => field.current?.focus(),
    Escape: () => setParams({ row: null }),
  })
  useEffect(() => {
    if (head.data) document.title = `${head.data.project} · run ${head.data.run} · sensecheck studio`
  }, [head.data])
  if (head.error) return <PageFailure error={head.error} onRetry={head.reload} />
  if (!head.data) return <PageLoading what="the run" />
  const run = head.data
  const counts = rows.counts ?? summary.data?.counts
  return (
    <div class="run-page" data-shown={open !== null ? "detail" : params.has("view") ? "view" : "list"}>
      <RunHeader run={run} go={go} onStarted={head.reload}>
        {summary.data && <Headline summary={summary.data} />}
        {counts && isJudged(counts) && (
          <div class="head-outcomes">
            <OutcomeBar counts={counts} />
            <OutcomeFilter counts={counts} chosen={outcomes} onToggle={toggle} />
          </div>
        )}
      </RunHeader>
      <nav class="side" aria-label="Rows">
        <RowFilters {...{ me, run, summary: summary.data, params, setParams, field }} />
        {rows.error && <Failure error={rows.error} />}
        <RowList
          rows={rows}
          open={open}
          kind={run.kind}
          onOpen={(at) => setParams({ row: String(at) }, false)}
        />
      </nav>
      <nav class="tabs" aria-label="Views">
        <Tab
          name="Rows"
          class="tab-list"
          on={open === null && !params.has("view")}
          onChoose={() => setParams({ row: null, view: null })}
        />
        <Tab
          name="Figures"
          on={open === null && view === "figures"}
          onChoose={() => setParams({ row: null, view: "figures" })}
        />
        {run.kind === "suite" && (
          <Tab
            name="Grid"
            on={open === null && view === "grid"}
            onChoose={() => setParams({ row: null, view: "grid" })}
          />
        )}
      </nav>
      <main id="main" class="main" tabIndex={0}>
        {open !== null ? (
          <RowDetail
            id={id}
            at={open}
            run={run}
            rater={me.rater}
            baseline={params.get("baseline")}
            onOpen={(at) => setParams({ row: String(at) }, false)}
            onClose={() => setParams({ row: null })}
            onLabelled={rows.reload}
          />
        ) : view === "grid" ? (
          <GridView id={id} filters={filters} onOpen={(at) => setParams({ row: String(at) }, false)} />
        ) : summary.error ? (
          <Failure error={summary.error} onRetry={summary.reload} />
        ) : summary.data ? (
          <Figures summary={summary.data} run={run} setParams={setParams} />
        ) : (
          <Loading what="the figures" />
        )}
      </main>
    </div>
  )
}

/** Whether anything is decided; of numbers alone, a bar of outcomes says nothing. */
const isJudged = (counts: Counts) => counts.pass + counts.fail + counts.unsure + counts.error > 0

function Tab(props: { name: string; on: boolean; class?: string; onChoose: () => void }) {
  return (
    <button
      type="button"
      class={`tab ${props.class ?? ""}`}
      aria-current={props.on ? "page" : undefined}
      onClick={props.onChoose}
    >
      {props.name}
    </button>
  )
}

function Headline({ summary: { rate, metrics, headline } }: { summary: SummaryReply }) {
  if (rate)
    return (
      <p class="rate" title={rateText(rate)}>
        <b>{percent(rate.value)}</b>
        <span>
          passed · {percent(rate.low)} to {percent(rate.high)}
        </span>
      </p>
    )
  const first = metrics.find(({ metric, mean }) => metric === headline && mean !== null)
  if (!first) return null
  return (
    <p class="rate" title={`mean of ${first.n} answers, with its 95% interval`}>
      <b>{first.mean!.toFixed(3)}</b>
      <span>
        {first.metric} · {first.low!.toFixed(3)} to {first.high!.toFixed(3)}
      </span>
    </p>
  )
}

function RunHeader(props: {
  run: RunHead
  go: Go
  onStarted: () => void
  children: preact.ComponentChildren
}) {
  const { run, go, onStarted, children } = props
  const [error, setError] = useState<RequestError | null>(null)
  const start = (action: string) => {
    setError(null)
    send<Job>(`/runs/${run.id}/${action}`).then(onStarted, setError)
  }
  return (
    <section class="head" aria-label="Run">
      <div class="head-title">
        <p class="eyebrow" dir="auto">
          {[runTitle(run), run.test !== "suite" && run.test, moment(run.at)].filter(Boolean).join(" · ")}
        </p>
        <h1 dir="auto">{run.project}</h1>
      </div>
      <div class="head-tools">
        {run.can_resume && (
          <button type="button" onClick={() => start("resume")}>
            Resume
          </button>
        )}
        {run.can_rerun && (
          <button
            type="button"
            onClick={() => start("rerun")}
            title="As a new run: the tests that did not pass"
          >
            Rerun what did not pass
          </button>
        )}
        {run.can_label && (
          <Link to={reviewLink(run.id)} go={go} class="button">
            Review
          </Link>
        )}
        <Link to={calibrateLink(run.id)} go={go} class="button">
          Calibrate
        </Link>
        <CompareWith run={run} go={go} />
        <a class="button" href={`${BASE}/api/runs/${run.id}/report.html`} download>
          Export
        </a>
      </div>
      <div class="head-summary">{children}</div>
      {(!run.complete || run.job) && <LiveProgress run={run} onEnd={onStarted} />}
      {error && <Failure error={error} />}
      <details class="conditions">
        <summary>Conditions</summary>
        <dl class="facts">
          {Object.entries(run.conditions).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{toText(value)}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

/** Follows the run while it goes on; the server sends how far it has come. */
function LiveProgress({ run, onEnd }: { run: RunHead; onEnd: () => void }) {
  const [state, setState] = useState<Pick<RunHead, "done" | "size" | "complete" | "job">>(run)
  useEffect(() => {
    const source = new EventSource(`${BASE}/api/runs/${run.id}/events`)
    source.onmessage = (event) => {
      const next = JSON.parse(event.data as string) as typeof state
      setState(next)
      if (next.complete && !next.job?.running) {
        source.close()
        if (!run.complete) onEnd()
      }
    }
    return () => source.close()
  }, [run.id, run.job?.command])
  const { job } = state
  return (
    <div class="live">
      {!state.complete && (
        <>
          <progress max={state.size} value={state.done} aria-label="Progress of the run" />
          <span class="small" role="status">
            {integer(state.done)} of {integer(state.size)} results
            {job?.running ? "" : "; interrupted, or still running elsewhere"}
          </span>
        </>
      )}
      {job && (
        <details open={job.exit_code !== null && job.exit_code > 1}>
          <summary>
            <code>{job.command}</code> {job.running ? "is running" : `ended with code ${job.exit_code}`}
          </summary>
          <pre>{job.lines.join("\n")}</pre>
        </details>
      )}
    </div>
  )
}

/** Other runs of the same project, as baselines. */
function useOthers(run: RunHead): [string, string][] {
  const { data } = useRequest<RunsReply>(
    `/runs?limit=30&project=${encodeURIComponent(run.project)}&kind=${run.kind}`,
  )
  return (data?.runs ?? [])
    .filter((one) => one.id !== run.id && one.error === null)
    .map((one) => [one.id, `${runTitle(one)}${one.at ? ` · ${moment(one.at)}` : ""}`])
}

function CompareWith({ run, go }: { run: RunHead; go: Go }) {
  const others = useOthers(run)
  if (!others.length) return null
  return (
    <Select
      label="Compare with"
      all="Compare with …"
      value=""
      choices={others}
      onChoose={(other) => other && go(compareLink(other, [run.id]))}
    />
  )
}

interface FilterProps {
  me: Me
  run: RunHead
  summary: SummaryReply | null
  params: URLSearchParams
  setParams: SetParams
  field: { current: HTMLInputElement | null }
}

/** Search, slices, labels and the baseline; all of them are in the address. */
function RowFilters({ me, run, summary, params, setParams, field }: FilterProps) {
  const others = useOthers(run)
  const set = (name: string) => (value: string) => setParams({ [name]: value, row: null })
  const labels = Object.entries(summary?.labels ?? {}).flatMap(([name, values]) =>
    values.map(([value, count]): [string, string] => [
      `${name}=${value}`,
      `${name} = ${value} (${integer(count)})`,
    ]),
  )
  const filtered = [...params.keys()].some((name) => name.startsWith("slice.") || FILTERS.includes(name))
  return (
    <search class="filters">
      <input
        ref={field}
        type="search"
        placeholder="Search texts"
        aria-label="Search texts"
        value={params.get("q") ?? ""}
        onInput={(event) => set("q")(event.currentTarget.value)}
      />
      {me.may_search_by_pattern && (
        <label class="check">
          <input
            type="checkbox"
            checked={params.has("regex")}
            onChange={(event) => setParams({ regex: event.currentTarget.checked ? "true" : null })}
          />
          regex
        </label>
      )}
      {(summary?.slices ?? [])
        .filter(({ key, values }) => values.length > 1 || params.has(`slice.${key}`))
        .map(({ key, values }) => (
          <Select
            key={key}
            label={key}
            value={params.get(`slice.${key}`) ?? ""}
            choices={values.map(({ value }) => value)}
            onChoose={set(`slice.${key}`)}
          />
        ))}
      {labels.length > 0 && (
        <Select
          label="Label"
          value={params.get("label") ?? ""}
          choices={[["none", "without a label"], ...labels]}
          onChoose={set("label")}
        />
      )}
      {others.length > 0 && (
        <Select
          label="Different from"
          all="Different from …"
          value={params.get("baseline") ?? ""}
          choices={others}
          onChoose={(value) => setParams({ baseline: value, changed: value ? "true" : null, row: null })}
        />
      )}
      <Select
        label="Order"
        all=""
        value={params.get("order") ?? "worst"}
        choices={[
          ["worst", "worst first"],
          ["best", "best first"],
          ["position", "in their order"],
          ["title", "by title"],
        ]}
        onChoose={(value) => setParams({ order: value === "worst" ? null : value })}
      />
      {filtered && (
        <button
          type="button"
          class="link"
          onClick={() =>
            setParams(
              Object.fromEntries(
                [...params.keys()].filter((name) => name !== "view").map((name) => [name, null]),
              ),
            )
          }
        >
          Clear filters
        </button>
      )}
    </search>
  )
}
