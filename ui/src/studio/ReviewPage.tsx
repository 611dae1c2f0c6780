import { useEffect, useRef, useState } from "preact/hooks"
import { integer, plural } from "../data/format"
import { useKeys } from "../components/useKeys"
import { useRequest, useReloadWhile, type Me, type RunHead } from "./api"
import { Failure, Link, Loading, PageFailure, PageLoading, runTitle } from "./parts"
import { storedRater, storeRater } from "./rater"
import { ReviewAgreement } from "./ReviewAgreement"
import { calibrateLink, runLink, type Go, type SetParams } from "./route"
import { useReview, type Decision, type Review, type ReviewRow } from "./useReview"

interface Props {
  id: string
  me: Me
  go: Go
  params: URLSearchParams
  setParams: SetParams
}

const QUEUES: [name: string, title: string, about: string][] = [
  ["random", "Random", "in random order; only these may feed a guarantee"],
  ["unsure", "Unsure", "rows that the checks could not decide"],
  ["edge", "Near the cutoff", "rows whose score is closest to the cutoff"],
  ["disagreement", "Disagreement", "checks, or a person and a check, say the opposite"],
  ["changed", "Changed", "rows that came out differently in the baseline"],
  ["second", "Second opinion", "rows that others have labelled"],
  ["flagged", "Flagged", "rows that somebody should look at"],
]

/** Rows to label, one after the other, without what the machine says of them. */
export function ReviewPage({ id, me, go, params, setParams }: Props) {
  const head = useRequest<RunHead>(`/runs/${id}`)
  const [rater, setRater] = useState(me.rater || storedRater())
  useEffect(() => {
    if (head.data) document.title = `Review · ${head.data.project} · sensecheck studio`
  }, [head.data])
  if (head.error) return <PageFailure error={head.error} onRetry={head.reload} />
  if (!head.data) return <PageLoading what="the run" />
  const run = head.data
  return (
    <main id="main" class="page review" tabIndex={-1}>
      <header class="page-head">
        <h1>Review</h1>
        <p class="small" dir="auto">
          <Link to={runLink(id)} go={go}>
            {run.project} · {runTitle(run)}
          </Link>
        </p>
        <p class="page-links">
          <Link to={calibrateLink(id)} go={go} class="button">
            Calibrate
          </Link>
        </p>
      </header>
      {!me.may_label ? (
        <p class="notice">This key may look at runs, and not label them: it needs the scope `review`.</p>
      ) : rater ? (
        <Desk
          key={rater}
          {...{ id, rater, params, setParams, go }}
          onRename={me.rater ? null : () => setRater("")}
        />
      ) : (
        <NameForm
          onDone={(name) => {
            storeRater(name)
            setRater(name)
          }}
        />
      )}
    </main>
  )
}

/** Labels are stored by who gave them, so that a second person can give theirs. */
function NameForm({ onDone }: { onDone: (name: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="card name-form"
      onSubmit={(event) => {
        event.preventDefault()
        const name = field.current?.value.trim()
        if (name) onDone(name)
      }}
    >
      <h2>Who is reviewing?</h2>
      <p>Labels are stored under this name. A second reviewer takes another one.</p>
      <label>
        your name
        <input ref={field} maxLength={100} defaultValue={storedRater()} autocomplete="nickname" />
      </label>
      <button type="submit" class="primary">
        Start
      </button>
    </form>
  )
}

interface DeskProps extends Omit<Props, "me"> {
  rater: string
  onRename: (() => void) | null
}

function Desk({ id, rater, params, setParams, go, onRename }: DeskProps) {
  const queue = params.get("queue") ?? "random"
  const agreement = params.get("view") === "agreement"
  const review = useReview(id, rater, params)
  useReloadWhile(review.reply?.indexed === false, review.reload, 2500)
  const { reply } = review
  const counts = reply?.counts
  const shown = QUEUES.filter(([name]) => name !== "changed" || params.has("baseline"))
  return (
    <>
      <div class="review-bar">
        <nav class="queues" aria-label="Queues">
          {shown.map(([name, title, about]) => (
            <button
              type="button"
              key={name}
              title={about}
              aria-current={!agreement && queue === name ? "true" : undefined}
              onClick={() => setParams({ queue: name === "random" ? null : name, view: null })}
            >
              {title}
              {counts && name !== "edge" && " "}
              {counts && name !== "edge" && <small>{integer(counts[name] ?? 0)}</small>}
            </button>
          ))}
          <button
            type="button"
            aria-current={agreement ? "true" : undefined}
            onClick={() => setParams({ view: "agreement" })}
          >
            Agreement
          </button>
        </nav>
        <p class="small review-who">
          {rater}
          {onRename && (
            <button type="button" class="link" onClick={onRename}>
              change
            </button>
          )}
        </p>
      </div>
      {reply && <Progress review={review} queue={queue} />}
      {agreement ? (
        <ReviewAgreement id={id} label={reply?.label ?? "correct"} go={go} />
      ) : review.error && !reply ? (
        <Failure error={review.error} onRetry={review.reload} />
      ) : !reply ? (
        <Loading what="the queue" />
      ) : (
        <Table review={review} about={QUEUES.find(([name]) => name === queue)?.[2] ?? ""} />
      )}
    </>
  )
}

/** How far the review has come, and how large the random sample is. */
function Progress({ review, queue }: { review: Review; queue: string }) {
  const { mine, rows, labelled, sample } = review.reply!
  return (
    <div class="review-progress">
      <progress max={Math.max(rows, 1)} value={labelled} aria-label="Labelled rows" />
      <p class="small">
        <b>{integer(labelled)}</b> of {integer(rows)} labelled, {integer(mine)} by you · random sample{" "}
        <b>{integer(sample.labelled)}</b>
        {sample.skipped > 0 && ` (${integer(sample.skipped)} skipped)`}
        {queue !== "random" && " · rows of this queue do not extend the random sample"}
      </p>
    </div>
  )
}

function Table({ review, about }: { review: Review; about: string }) {
  const { row, decide, undo, flag, last, error } = review
  const ready = row !== null
  useKeys({
    c: () => ready && decide({ kind: "label", value: 1 }),
    w: () => ready && decide({ kind: "label", value: 0 }),
    s: () => ready && decide({ kind: "skip" }),
    f: () => ready && flag(),
    u: undo,
  })
  return (
    <>
      {review.current === null ? (
        <div class="card review-empty">
          <h2>Nothing left here</h2>
          <p>There is no row to label in this queue ({about}). Choose another one above.</p>
        </div>
      ) : row ? (
        <Sheet key={row.at} row={row} />
      ) : (
        <Loading what="the row" />
      )}
      {error && <Failure error={error} onRetry={review.reload} />}
      <div class="decide">
        {review.current !== null && (
          <div class="decide-buttons">
            <button
              type="button"
              class="say say-correct"
              disabled={!ready}
              onClick={() => decide({ kind: "label", value: 1 })}
            >
              Correct <kbd>c</kbd>
            </button>
            <button
              type="button"
              class="say say-wrong"
              disabled={!ready}
              onClick={() => decide({ kind: "label", value: 0 })}
            >
              Wrong <kbd>w</kbd>
            </button>
            <button type="button" disabled={!ready} onClick={() => decide({ kind: "skip" })}>
              Skip <kbd>s</kbd>
            </button>
            <button type="button" disabled={!ready} aria-pressed={row?.mine.flag === 1} onClick={flag}>
              {row?.mine.flag === 1 ? "Flagged" : "Flag"} <kbd>f</kbd>
            </button>
          </div>
        )}
        <p class="decide-last" role="status">
          {last ? <Last last={last} /> : "The verdict is shown after you have decided."}
        </p>
        {review.canUndo && (
          <button type="button" onClick={undo}>
            Undo <kbd>u</kbd>
          </button>
        )}
      </div>
    </>
  )
}

/** What was said last, beside what the machine says. */
function Last({ last }: { last: Decision }) {
  const said = last.undone
    ? "Taken back"
    : last.kind === "skip"
      ? "Skipped"
      : last.value === 1
        ? "Correct"
        : "Wrong"
  const { machine } = last
  if (!machine) return <>{said} …</>
  const score = machine.value === null ? "" : ` (${machine.metric} ${machine.value.toFixed(3)})`
  const opposite =
    last.kind === "label" &&
    !last.undone &&
    ((machine.outcome === "pass" && last.value === 0) || (machine.outcome === "fail" && last.value === 1))
  return (
    <>
      <b>{said}.</b> The machine: <b class={`outcome-${machine.outcome}`}>{machine.outcome}</b>
      {score}
      {opposite && <span class="tag tag-unsure">you differ</span>}
    </>
  )
}

/** The texts of a row: what was asked and answered, and what there is to compare it with. */
function Sheet({ row }: { row: ReviewRow }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const question = row.parts.filter(({ kind }) => kind === "title" || kind === "question")
  const answer = row.parts.find(({ kind }) => kind === "answer")
  const evidence = row.parts.filter(({ kind }) => kind === "expected" || kind === "passage")
  return (
    <article class="sheet" aria-labelledby="sheet-title">
      <header>
        {question.map(({ name, text }, at) => (
          <div key={at} class="sheet-question">
            <p class="eyebrow">{name}</p>
            {at === 0 ? (
              <h2 id="sheet-title" ref={heading} dir="auto">
                {text}
              </h2>
            ) : (
              <div class="text" dir="auto">
                {text}
              </div>
            )}
          </div>
        ))}
        {!question.length && <h2 id="sheet-title">{row.id}</h2>}
      </header>
      <div class="sheet-texts">
        <section class="card sheet-answer" aria-label="Answer">
          <h3>Answer</h3>
          <div class="text" dir="auto">
            {answer?.text ?? "There is no answer."}
          </div>
        </section>
        {evidence.length > 0 && (
          <section
            class="card sheet-evidence"
            aria-label={plural(evidence.length, "text") + " to compare with"}
          >
            {evidence.map(({ name, text }, at) => (
              <div key={at}>
                <h3>{name}</h3>
                <div class="text soft" dir="auto">
                  {text}
                </div>
              </div>
            ))}
          </section>
        )}
      </div>
    </article>
  )
}
