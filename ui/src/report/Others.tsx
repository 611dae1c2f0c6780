import { useEffect, useState } from "preact/hooks"
import { deciding } from "../data/deciding"
import type { Index } from "../data/run"
import type { Store } from "../data/store"
import { OutcomeBadge } from "../pieces/OutcomeBadge"

const LONGEST = 600
const AT_FIRST = 6

interface Asked {
  store: Store
  rows: readonly number[]
  onOpen: (row: number) => void
}

/** What the same test came to elsewhere: answers stand side by side, and a press opens one. */
export function Others({ store, rows, onOpen }: Asked) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, AT_FIRST)
  const answers = useAnswers(store, shown)
  if (!rows.length) return null
  const { sources } = store.index
  const title = sources.length > 1 ? "The same test by other sources" : "The same test in other prompts"
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

/** The answer of each row that decided its outcome, as much of it as there is room for. */
function useAnswers(store: Store, rows: readonly number[]): ReadonlyMap<number, string> {
  const [answers, setAnswers] = useState<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    let wanted = true
    void Promise.all(rows.map((row) => answerOf(store, row))).then(
      (found) => wanted && setAnswers(new Map(found)),
    )
    return () => {
      wanted = false
    }
  }, [store, rows.join()])
  return answers
}

async function answerOf(store: Store, row: number): Promise<[number, string]> {
  const { detail, texts } = await store.detail(row)
  const answer = texts.answers[deciding(store.index, row, detail)]
  if (answer === null || answer === undefined) return [row, "There is no answer."]
  return [row, answer.slice(0, LONGEST) || "The answer is empty."]
}
