import { useMemo, useState } from "preact/hooks"
import { MarkedText, type Tone } from "../components/MarkedText"
import { OutcomeBadge } from "../components/OutcomeBadge"
import { decidingRun } from "../data/decidingRun"
import { integer, plural } from "../data/format"
import type { Mark } from "../data/marks"
import { diffWords } from "../data/wordDiff"
import {
  useReloadWhile,
  useRequest,
  type ChangedRow,
  type ChangedRowsReply,
  type ChangeKind,
  type RowDetailReply,
} from "./api"
import { Failure, Loading, metricValue } from "./parts"
import type { SetParams } from "./route"
import { Pages } from "./RunsPage"

const PAGE_SIZE = 20
const KINDS: Record<ChangeKind, string> = {
  regression: "failing now",
  "to error": "in error now",
  worse: "lower",
  other: "otherwise changed",
  fix: "passing now",
  "from error": "no longer in error",
  better: "higher",
}

interface Props {
  before: string
  after: string
  names: [string, string]
  params: URLSearchParams
  setParams: SetParams
}

/** The rows that changed, regressions first; each opens with both answers side by side. */
export function ChangedRows({ before, after, names, params, setParams }: Props) {
  const [start, setStart] = useState(0)
  const kind = params.get("kind") ?? ""
  const asked = new URLSearchParams({ before, after, kind, start: String(start), limit: String(PAGE_SIZE) })
  const { data, error, reload } = useRequest<ChangedRowsReply>(`/compare/rows?${asked}`)
  useReloadWhile(data?.indexed === false, reload, 2000)
  if (error) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading what="the rows that changed" />
  const all = Object.values(data.counts).reduce((sum, count) => sum + count, 0)
  return (
    <section class="card" aria-label="Rows that changed">
      <h2>{all ? `${plural(all, "row")} changed` : "No row changed"}</h2>
      <p class="small">
        {plural(data.both, "row")} in both runs
        {data.only_before > 0 && `, ${integer(data.only_before)} only in the baseline`}
        {data.only_after > 0 && `, ${integer(data.only_after)} only in the later run`}
        {!data.indexed && "; large runs are still being read …"}
      </p>
      <div class="outcomes change-kinds" role="group" aria-label="Filter by kind of change">
        {(Object.keys(KINDS) as ChangeKind[])
          .filter((one) => data.counts[one] > 0)
          .map((one) => (
            <button
              key={one}
              type="button"
              class="chip"
              aria-pressed={kind === one}
              onClick={() => {
                setStart(0)
                setParams({ kind: kind === one ? null : one })
              }}
            >
              <b>{integer(data.counts[one])}</b> {KINDS[one]}
            </button>
          ))}
      </div>
      <ol class="changed">
        {data.rows.map((row) => (
          <li key={row.id}>
            <Changed {...{ row, before, after, names, metric: data.metric, label: data.label }} />
          </li>
        ))}
      </ol>
      <Pages total={data.total} start={start} size={PAGE_SIZE} onStart={setStart} />
    </section>
  )
}

interface ChangedProps {
  row: ChangedRow
  before: string
  after: string
  names: [string, string]
  metric: string | null
  /** The label by which people's word is compared, if both runs have one. */
  label: string | null
}

function Changed({ row, before, after, names, metric, label }: ChangedProps) {
  const [open, setOpen] = useState(false)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="change-step">
          {label && row.said[0] !== null && row.said[1] !== null && row.said[0] !== row.said[1] ? (
            <span class={`against-${row.kind === "regression" ? "fail" : "pass"}`}>
              {label} {row.said[0]} → {row.said[1]}
            </span>
          ) : row.before === row.after ? (
            <span class="small">{row.kind === "worse" ? "▼" : "▲"}</span>
          ) : (
            <>
              <OutcomeBadge outcome={row.before} /> <span aria-hidden="true">→</span>
              <span class="sr">to</span> <OutcomeBadge outcome={row.after} />
            </>
          )}
        </span>
        <span class="change-title" dir="auto">
          {row.title}
        </span>
        {(row.value_before !== null || row.value_after !== null) && (
          <span class="figure small" title={metric ?? ""}>
            {metricValue(metric, row.value_before)} → {metricValue(metric, row.value_after)}
          </span>
        )}
      </summary>
      {open && <BothAnswers {...{ row, before, after, names }} />}
    </details>
  )
}

/** The texts of a row: the answer that decided, why it came out so, and what was expected. */
interface AnswerText {
  question: string
  expected: string
  answer: string
  because: string
}

function BothAnswers({ row, before, after, names }: Omit<ChangedProps, "metric" | "label">) {
  const old = useRequest<RowDetailReply>(`/runs/${before}/rows/${row.before_at}`)
  const now = useRequest<RowDetailReply>(`/runs/${after}/rows/${row.at}`)
  const texts = useMemo(
    () => (old.data && now.data ? ([textsOf(old.data), textsOf(now.data)] as const) : null),
    [old.data, now.data],
  )
  const error = old.error ?? now.error
  if (error) return <Failure error={error} />
  if (!texts) return <Loading what="both answers" />
  const marks = diffWords(texts[0].answer, texts[1].answer)
  const outcomes = [row.before, row.after] as const
  return (
    <div class="both">
      <p class="text soft" dir="auto">
        {texts[1].question}
      </p>
      {texts[1].expected && (
        <p class="small" dir="auto">
          Expected: {texts[1].expected}
        </p>
      )}
      <div class="side-by-side">
        {([0, 1] as const).map((side) => (
          <section key={side} aria-label={names[side]}>
            <h4 class="label">
              {names[side]} <OutcomeBadge outcome={outcomes[side]} />
            </h4>
            {texts[side].answer ? (
              <MarkedText
                text={texts[side].answer}
                marks={differing(marks[side])}
                pointed={null}
                onPoint={() => undefined}
              />
            ) : (
              <p class="missing-text">No answer.</p>
            )}
            {texts[side].because && <p class="small">{texts[side].because}</p>}
          </section>
        ))}
      </div>
    </div>
  )
}

const ONLY_HERE: Tone = { tone: "claim", about: "only in this answer", id: -1 }

const differing = (marks: Mark<null>[]): Mark<Tone>[] => marks.map((mark) => ({ ...mark, as: ONLY_HERE }))

function textsOf(data: RowDetailReply): AnswerText {
  if (data.kind === "answer") {
    const { question, expected, answer, error } = data.pair
    return { question: question ?? "", expected: expected ?? "", answer: answer ?? "", because: error ?? "" }
  }
  const { detail, texts } = data.items[data.row]!
  const at = decidingRun(data.index, data.row, detail)
  const expected = texts.vars["expected"]
  return {
    question: texts.description || texts.prompt,
    expected: typeof expected === "string" ? expected : "",
    answer: texts.answers[at] ?? "",
    because: detail.runs[at]!.verdict.because,
  }
}
