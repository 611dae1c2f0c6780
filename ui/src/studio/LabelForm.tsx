import { useState } from "preact/hooks"
import { send, useRequest, type RequestError, type RunHead } from "./api"
import { Failure } from "./parts"
import { storedRater, storeRater } from "./rater"
import type { ReviewRow } from "./useReview"

const LABEL = "correct"

interface Props {
  run: RunHead
  at: number
  fixedRater: string
  onDone: () => void
}

/** What a person says of the answer, and a flag; they can change it, and take it back. */
export function LabelForm({ run, at, fixedRater, onDone }: Props) {
  const [rater, setRater] = useState(fixedRater || storedRater())
  const [error, setError] = useState<RequestError | null>(null)
  const { data, reload } = useRequest<ReviewRow>(
    `/runs/${run.id}/review/rows/${at}?${new URLSearchParams({ rater })}`,
  )
  if (!data) return null
  const { mine } = data
  const say = (name: string, value: number | null) => {
    setError(null)
    storeRater(rater)
    send(`/runs/${run.id}/labels`, { id: data.id, name, value, rater }).then(() => {
      reload()
      onDone()
    }, setError)
  }
  const said = mine[LABEL]
  return (
    <section class="card label-form" aria-label="Label">
      <h3>Is this answer correct?</h3>
      <div class="label-buttons">
        <button type="button" aria-pressed={said === 1} onClick={() => say(LABEL, 1)}>
          Correct
        </button>
        <button type="button" aria-pressed={said === 0} onClick={() => say(LABEL, 0)}>
          Wrong
        </button>
        {said !== undefined && rater && (
          <button type="button" onClick={() => say(LABEL, null)}>
            Clear
          </button>
        )}
        {rater && (
          <button
            type="button"
            aria-pressed={mine.flag === 1}
            onClick={() => say("flag", mine.flag === 1 ? null : 1)}
          >
            {mine.flag === 1 ? "Flagged" : "Flag"}
          </button>
        )}
        {!fixedRater && (
          <label>
            your name
            <input value={rater} maxLength={100} onInput={(event) => setRater(event.currentTarget.value)} />
          </label>
        )}
      </div>
      {said !== undefined && (
        <p class="small" role="status">
          Labelled {said === 1 ? "correct" : said === 0 ? "wrong" : said}
          {rater ? `. Cleared, the verdict of the machine counts again.` : "."}
        </p>
      )}
      {error && <Failure error={error} />}
    </section>
  )
}
