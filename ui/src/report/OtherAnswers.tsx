import { useEffect, useState } from "preact/hooks"
import { decidingRun } from "../data/decidingRun"
import type { Index } from "../data/run"
import type { Store } from "../data/store"
import { OutcomeBadge } from "../components/OutcomeBadge"

const MAX_CHARS = 600
const INITIAL_COUNT = 6

interface Props {
  store: Store
  rows: readonly number[]
  onOpen: (row: number) => void
}

/** The answers to the same test from other sources or prompts, side by side; a click opens one. */
export function OtherAnswers({ store, rows, onOpen }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, INITIAL_COUNT)
  const answers = useAnswers(store, shown)
  if (!rows.length) return null
  const { sources } = store.index
  const title = sources.length > 1 ? "Results from other sources" : "Results for other prompts"
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      <div class="others">
        {shown.map((row) => (
          <button key={row} type="button" class="other" onClick={() => onOpen(row)}>
            <span class="other-head">
              <OutcomeBadge outcome={store.index.rows.outcome[row]!} />
              <span>{nameOf(store.index, row)}</span>
            </span>
            <span class="other-answer" dir="auto">
              {answers.get(row) ?? "…"}
            </span>
          </button>
        ))}
      </div>
      {shown.length < rows.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {rows.length - shown.length} more
        </button>
      )}
    </section>
  )
}

function nameOf({ rows, sources, wordings }: Index, row: number): string {
  const names = [
    sources.length > 1 && sources[rows.source[row]!],
    wordings.length > 1 && wordings[rows.wording[row]!],
  ]
  return names.filter(Boolean).join(" · ")
}

/** For each row, the beginning of the answer that decided its outcome. */
function useAnswers(store: Store, rows: readonly number[]): ReadonlyMap<number, string> {
  const [answers, setAnswers] = useState<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    let active = true
    void Promise.all(rows.map((row) => answerOf(store, row))).then(
      (loaded) => active && setAnswers(new Map(loaded)),
    )
    return () => {
      active = false
    }
  }, [store, rows.join()])
  return answers
}

async function answerOf(store: Store, row: number): Promise<[number, string]> {
  const { detail, texts } = await store.detail(row)
  const answer = texts.answers[decidingRun(store.index, row, detail)]
  if (answer === null || answer === undefined) return [row, "No answer."]
  return [row, answer.slice(0, MAX_CHARS) || "The answer is empty."]
}
