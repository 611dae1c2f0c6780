import { useEffect, useRef, useState } from "preact/hooks"
import { integer, plural } from "../data/format"
import { useKeys } from "../components/useKeys"
import { useReloadWhile, useRequest, type ListedRun, type Me, type RunsReply } from "./api"
import { Failure, Link, Loading, metricValue, moment, runTitle, Select, Sparkline } from "./parts"
import { compareLink, runLink, type Go, type SetParams } from "./route"

const PAGE_SIZE = 50
const MAX_COMPARED = 8
const KINDS: Record<string, string> = { suite: "battery", evaluation: "evaluation", large: "large run" }
const STATES = ["complete", "interrupted", "reading", "unreadable"]

interface Props {
  me: Me
  go: Go
  params: URLSearchParams
  setParams: SetParams
}

/** Every run of every store, filtered by the address and paged by the server. */
export function RunsPage({ me, go, params, setParams }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const start = Number(params.get("start")) || 0
  const asked = new URLSearchParams(params)
  asked.set("limit", String(PAGE_SIZE))
  const { data, error, reload } = useRequest<RunsReply>(`/runs?${asked}`)
  const [chosen, setChosen] = useState<readonly string[]>([])
  useReloadWhile(Boolean(data?.runs.some(isMoving)), reload, 2000)
  useKeys({ "/": () => field.current?.focus() })
  useEffect(() => {
    document.title = "Runs · sensecheck studio"
  }, [])
  const filter = (name: string) => (value: string) => setParams({ [name]: value, start: null })
  const toggle = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]))
  const filtered = ["q", "project", "kind", "state"].some((name) => params.get(name))
  // The oldest of the chosen runs is the baseline: the list has the newest first.
  const inOrder = (data?.runs ?? []).filter(({ id }) => chosen.includes(id)).reverse()
  return (
    <main id="main" class="page" tabIndex={-1}>
      <div class="page-head">
        <h1>Runs</h1>
        {data && (
          <p class="small" role="status">
            {data.total === data.all
              ? plural(data.all, "run")
              : `${integer(data.total)} of ${plural(data.all, "run")}`}
          </p>
        )}
      </div>
      <search class="toolbar">
        <input
          ref={field}
          type="search"
          placeholder="Search projects, tests, names"
          aria-label="Search projects, tests, names"
          value={params.get("q") ?? ""}
          onInput={(event) => filter("q")(event.currentTarget.value)}
        />
        {data && data.projects.length > 1 && (
          <Select
            label="Project"
            value={params.get("project") ?? ""}
            choices={data.projects}
            onChoose={filter("project")}
          />
        )}
        {data && data.kinds.length > 1 && (
          <Select
            label="Kind"
            value={params.get("kind") ?? ""}
            choices={data.kinds.map((kind) => [kind, KINDS[kind]!])}
            onChoose={filter("kind")}
          />
        )}
        <Select label="State" value={params.get("state") ?? ""} choices={STATES} onChoose={filter("state")} />
        {filtered && (
          <button
            type="button"
            class="link"
            onClick={() => setParams({ q: null, project: null, kind: null, state: null, start: null })}
          >
            Clear filters
          </button>
        )}
      </search>
      {error && <Failure error={error} onRetry={reload} />}
      {!data ? (
        !error && <Loading what="the runs" />
      ) : !data.all ? (
        <NoRuns places={me.places} />
      ) : !data.runs.length ? (
        <p class="empty">No run matches these filters.</p>
      ) : (
        <>
          <RunsTable {...{ data, go, chosen, toggle }} />
          <Pages
            total={data.total}
            start={start}
            onStart={(at) => setParams({ start: at ? String(at) : null }, false)}
          />
        </>
      )}
      {inOrder.length > 0 && (
        <div class="action-bar" role="region" aria-label="Chosen runs">
          <span>{plural(inOrder.length, "run")} chosen</span>
          <button
            type="button"
            class="primary"
            disabled={inOrder.length < 2 || inOrder.length > MAX_COMPARED}
            onClick={() =>
              go(
                compareLink(
                  inOrder[0]!.id,
                  inOrder.slice(1).map(({ id }) => id),
                ),
              )
            }
          >
            {inOrder.length < 2
              ? "Choose another one to compare"
              : inOrder.length > MAX_COMPARED
                ? `At most ${MAX_COMPARED} can be compared`
                : "Compare"}
          </button>
          <button type="button" onClick={() => setChosen([])}>
            Clear
          </button>
        </div>
      )}
    </main>
  )
}

const isMoving = (run: ListedRun) => run.pending || run.state === "interrupted"

function RunsTable(props: {
  data: RunsReply
  go: Go
  chosen: readonly string[]
  toggle: (id: string) => void
}) {
  const { data, go, chosen, toggle } = props
  return (
    <table class="runs card">
      <thead>
        <tr>
          <th>
            <span class="sr">Choose</span>
          </th>
          <th>run</th>
          <th class="figure">result</th>
          <th>trend</th>
          <th class="figure">items</th>
          <th>began</th>
          <th>state</th>
        </tr>
      </thead>
      <tbody>
        {data.runs.map((run) => (
          <tr key={run.id} class={run.error ? "unreadable" : ""}>
            <td class="choose">
              {run.error === null && (
                <input
                  type="checkbox"
                  checked={chosen.includes(run.id)}
                  aria-label={`Choose ${runTitle(run)} of ${run.project}`}
                  onChange={() => toggle(run.id)}
                />
              )}
            </td>
            <th scope="row" class="run-name">
              {run.project === undefined ? (
                <span>
                  {KINDS[run.kind]} {run.run || ""}
                </span>
              ) : (
                <Link to={runLink(run.id)} go={go}>
                  <span dir="auto">{run.project}</span>
                </Link>
              )}
              <small dir="auto">
                {run.error ??
                  [runTitle(run), run.test !== "suite" && run.test, KINDS[run.kind]]
                    .filter(Boolean)
                    .join(" · ")}
              </small>
            </th>
            <td class="figure result">
              {run.pending ? (
                <span class="none">…</span>
              ) : run.value === null ? (
                <span class="none">–</span>
              ) : (
                <>
                  <b>{metricValue(run.metric, run.value)}</b>
                  <small>{run.metric}</small>
                </>
              )}
            </td>
            <td class="trend">
              <Sparkline values={run.trend} />
            </td>
            <td class="figure items">{run.size === undefined ? "" : integer(run.size)}</td>
            <td class="when">{moment(run.at)}</td>
            <td class="state">
              <State run={run} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function State({ run }: { run: ListedRun }) {
  if (run.state === "unreadable") return <span class="tag tag-error">cannot be read</span>
  if (run.state === "reading") return <span class="tag">being read …</span>
  if (run.state === "complete") return <span class="tag tag-pass">complete</span>
  const share = run.size ? (run.done ?? 0) / run.size : 0
  return (
    <span class="tag tag-unsure" title={`${integer(run.done ?? 0)} of ${integer(run.size ?? 0)}`}>
      at {Math.floor(share * 100)}%
    </span>
  )
}

export function Pages(props: { total: number; start: number; size?: number; onStart: (at: number) => void }) {
  const { total, start, size = PAGE_SIZE, onStart } = props
  if (total <= size) return null
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" disabled={start === 0} onClick={() => onStart(Math.max(0, start - size))}>
        Previous
      </button>
      <span class="small">
        {integer(start + 1)} to {integer(Math.min(total, start + size))} of {integer(total)}
      </span>
      <button type="button" disabled={start + size >= total} onClick={() => onStart(start + size)}>
        Next
      </button>
    </nav>
  )
}

function NoRuns({ places }: { places: string[] }) {
  return (
    <div class="card first-steps">
      <h2>No runs yet</h2>
      <p>Make one, and it appears here:</p>
      <pre>
        sensecheck run tests.battery.yaml{"\n"}
        sensecheck eval questions.jsonl --metric semantic_similarity
      </pre>
      {places.length > 0 && <p class="small">Looked in {places.join(", ")}.</p>}
    </div>
  )
}
