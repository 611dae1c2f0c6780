import { useEffect } from "preact/hooks"
import { ScrollTable } from "../components/ScrollTable"
import { integer, percent, plural } from "../data/format"
import { formatPValue } from "../data/effects"
import { signed } from "../data/ticks"
import { ComparisonSection } from "../evals/ComparisonSection"
import { useRequest, type CompareReply, type Standing, type StudioComparison } from "./api"
import { ChangedRows } from "./ChangedRows"
import { Link, PageFailure, PageLoading, metricValue, moment, runTitle, Select } from "./parts"
import { BASE } from "./api"
import { compareLink, runLink, type Go, type SetParams } from "./route"

const MAX_COLUMNS = 3

interface Props {
  go: Go
  params: URLSearchParams
  setParams: SetParams
}

/** Runs against a baseline: a leaderboard, what changed in one of them, and the rows that changed. */
export function ComparePage({ go, params, setParams }: Props) {
  const baseline = params.get("baseline") ?? ""
  const ids = params.getAll("run")
  const asked = new URLSearchParams([["baseline", baseline], ...ids.map((id) => ["run", id])])
  const { data, error, reload } = useRequest<CompareReply>(
    baseline && ids.length ? `/compare?${asked}` : null,
  )
  useEffect(() => {
    document.title = "Compare · sensecheck studio"
  }, [])
  if (!baseline || !ids.length)
    return (
      <main id="main" class="page" tabIndex={-1}>
        <h1>Compare</h1>
        <p class="empty">
          Choose two runs or more in the{" "}
          <Link to={BASE} go={go}>
            list of runs
          </Link>
          .
        </p>
      </main>
    )
  if (error) return <PageFailure error={error} onRetry={reload} />
  if (!data) return <PageLoading what="the comparison" />
  const others = data.runs.slice(1)
  const shown = others.find(({ id }) => id === params.get("show")) ?? others[0]!
  const first = data.runs[0]!
  return (
    <main id="main" class="page" tabIndex={-1}>
      <div class="page-head">
        <h1>{others.length > 1 ? `${others.length + 1} runs compared` : "Two runs compared"}</h1>
        <p class="small" dir="auto">
          baseline: {first.project}, {runTitle(first)}
        </p>
      </div>
      <Leaderboard
        runs={data.runs}
        shown={shown.id}
        go={go}
        onShow={(id) => setParams({ show: id })}
        onBaseline={(id) =>
          go(
            compareLink(
              id,
              data.runs.filter((one) => one.id !== id).map((one) => one.id),
            ),
          )
        }
      />
      {others.length > 1 && (
        <div class="toolbar">
          <Select
            label="Run to look at"
            all=""
            value={shown.id}
            choices={others.map((one) => [one.id, `${runTitle(one)} of ${one.project}`])}
            onChoose={(id) => setParams({ show: id })}
          />
        </div>
      )}
      {shown.error ? (
        <div class="notice notice-error" role="alert">
          <p>{shown.error}</p>
        </div>
      ) : (
        shown.comparison && (
          <>
            <Verdict comparison={shown.comparison} />
            <ChangedRows
              key={shown.id}
              before={first.id}
              after={shown.id}
              names={[runTitle(first), runTitle(shown)]}
              params={params}
              setParams={setParams}
            />
            <ComparisonSection
              comparison={{ ...shown.comparison, moved: [] }}
              rowOf={() => undefined}
              titleOf={() => ""}
              onOpen={() => undefined}
            />
          </>
        )
      )}
    </main>
  )
}

const VERDICTS: Record<StudioComparison["verdict"], [string, string]> = {
  worse: ["fail", "Significantly worse than the baseline"],
  better: ["pass", "Significantly better than the baseline"],
  same: ["measured", "No significant difference"],
  unknown: ["unsure", "Not known whether it got worse"],
}

/** The conclusion, and why it may not be known. */
function Verdict({ comparison }: { comparison: StudioComparison }) {
  const [tone, words] = VERDICTS[comparison.verdict]
  const { regression_count: down, fix_count: up, n, items } = comparison
  const verdicts = down + up > 0 && `${plural(down, "regression")}, ${plural(up, "fix", "fixes")}`
  return (
    <div class={`notice verdict-${tone}`} role="status">
      <p>
        <b>{words}.</b>{" "}
        {[verdicts, `${plural(n, items)} in both runs`, comparison.correction].filter(Boolean).join("; ")}.
      </p>
      {comparison.not_known.length > 0 && (
        <ul class="notes small">
          {comparison.not_known.map((why) => (
            <li key={why}>{why}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface LeaderboardProps {
  runs: Standing[]
  shown: string
  go: Go
  onShow: (id: string) => void
  onBaseline: (id: string) => void
}

/** All runs, the best first; the baseline is marked. */
function Leaderboard({ runs, shown, go, onShow, onBaseline }: LeaderboardProps) {
  const rated = runs.some(({ rate }) => rate)
  const metrics = sharedMetrics(runs)
  const labels = sharedLabels(runs)
  const lead = (run: Standing) =>
    labels.length
      ? (labelOf(run, labels[0]!)?.mean ?? -1)
      : rated
        ? (run.rate?.value ?? -1)
        : (meanOf(run, metrics[0] ?? "")?.mean ?? -1)
  const order = [...runs].sort((one, other) => lead(other) - lead(one))
  return (
    <section class="card">
      <h2>Leaderboard</h2>
      <ScrollTable label="Leaderboard">
        <thead>
          <tr>
            <th class="figure">#</th>
            <th>run</th>
            {labels.map((label) => (
              <th key={label} class="figure">
                {label} (label)
              </th>
            ))}
            {rated && <th class="figure">passed</th>}
            {metrics.map((metric) => (
              <th key={metric} class="figure">
                {metric}
              </th>
            ))}
            <th>against the baseline</th>
            <th class="figure">rows</th>
            <th>
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map((run, at) => (
            <tr key={run.id} class={run.id === shown ? "current" : ""}>
              <td class="figure">{at + 1}</td>
              <th scope="row" class="run-name">
                <Link to={runLink(run.id)} go={go}>
                  <span dir="auto">{runTitle(run)}</span>
                </Link>
                <small dir="auto">
                  {run.project} · {moment(run.at)}
                  {!run.complete && " · not complete"}
                </small>
              </th>
              {labels.map((label) => (
                <Mean key={label} name={label} figures={labelOf(run, label)} />
              ))}
              {rated && (
                <td class="figure">
                  {run.rate ? percent(run.rate.value) : "n/a"}
                  {run.rate && (
                    <small>
                      {percent(run.rate.low)} to {percent(run.rate.high)}
                    </small>
                  )}
                </td>
              )}
              {metrics.map((metric) => (
                <Mean key={metric} name={metric} figures={meanOf(run, metric)} />
              ))}
              <td>
                <Against run={run} />
              </td>
              <td class="figure">{integer(run.rows)}</td>
              <td class="row-actions">
                {run.comparison || run.error ? (
                  <>
                    <button type="button" class="link" onClick={() => onShow(run.id)}>
                      Show
                    </button>
                    <button type="button" class="link" onClick={() => onBaseline(run.id)}>
                      Make baseline
                    </button>
                  </>
                ) : (
                  <span class="tag">baseline</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  )
}

interface MeanProps {
  name: string
  figures: Standing["labels"][number] | undefined
}

/** A mean with its interval, in a cell. */
function Mean({ name, figures }: MeanProps) {
  return (
    <td class="figure">
      {metricValue(name, figures?.mean ?? null)}
      {figures && figures.low !== null && figures.n > 1 && (
        <small>
          {metricValue(name, figures.low)} to {metricValue(name, figures.high)}
        </small>
      )}
    </td>
  )
}

/** The first column that decides: labels of people where there are any, then checks, then metrics. */
function Against({ run: { comparison, error } }: { run: Standing }) {
  if (error) return <span class="small">cannot be compared</span>
  if (!comparison) return <span class="none">–</span>
  const all = [...(comparison.labels ?? []), ...comparison.metrics]
  const lead = all.find(({ metric, n }) => n && comparison.leading.includes(metric))
  if (!lead || lead.difference === null) return <span class="none">n/a</span>
  const tone = lead.claim ? (lead.difference < 0 ? "fail" : "pass") : "none"
  return (
    <span class={`against against-${tone}`}>
      {signed(lead.difference)} {lead.metric}
      <small>
        {lead.claim ? "significant" : "not significant"}
        {lead.adjusted !== null && `, ${formatPValue(lead.adjusted)}`}
      </small>
    </span>
  )
}

/** The metrics that most runs have, at most a few. */
function sharedMetrics(runs: readonly Standing[]): string[] {
  const names = [...new Set(runs.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)))]
  const count = (name: string) => runs.filter((run) => meanOf(run, name)).length
  return names
    .filter((name) => !["latency_ms", "cost"].includes(name))
    .sort((one, other) => count(other) - count(one))
    .slice(0, MAX_COLUMNS)
}

/** The labels that every run has: people's word comes first. */
function sharedLabels(runs: readonly Standing[]): string[] {
  return (runs[0]?.labels ?? [])
    .map(({ metric }) => metric)
    .filter((name) => runs.every((run) => labelOf(run, name)?.n))
}

const labelOf = (run: Standing, name: string) => run.labels.find(({ metric }) => metric === name)
const meanOf = (run: Standing, name: string) => run.metrics.find(({ metric }) => metric === name)
