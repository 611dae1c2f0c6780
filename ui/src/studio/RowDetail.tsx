import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { EvalPair, EvalsIndex } from "../data/evals"
import { EvalsStore } from "../data/evalsStore"
import type { Detail, Index, Texts } from "../data/run"
import { Store } from "../data/store"
import { PairDetail } from "../evals/PairDetail"
import { TestDetail } from "../report/TestDetail"
import { send, useRequest, type RequestError, type RowDetailReply, type RunHead } from "./api"
import { Failure, Loading } from "./parts"

/** The rows of one reply, as the components of reports read them. */
class ServedTests extends Store {
  constructor(
    index: Index,
    private readonly items: { detail: Detail; texts: Texts }[],
  ) {
    super(index, () => "")
  }

  override detail(row: number): Promise<{ detail: Detail; texts: Texts }> {
    return Promise.resolve(this.items[row]!)
  }
}

class ServedPair extends EvalsStore {
  constructor(
    index: EvalsIndex,
    private readonly only: EvalPair,
  ) {
    super(index, [])
  }

  override pair(): Promise<EvalPair> {
    return Promise.resolve(this.only)
  }
}

interface Props {
  id: string
  at: number
  run: RunHead
  rater: string
  baseline: string | null
  onOpen: (at: number) => void
  onClose: () => void
  onLabelled: () => void
}

/** One row in full, drawn as reports draw it. */
export function RowDetail({ id, at, run, rater, onOpen, onClose, onLabelled }: Props) {
  const { data, error, reload } = useRequest<RowDetailReply>(`/runs/${id}/rows/${at}`)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.getElementById("main")?.scrollTo(0, 0)
  }, [at])
  if (error) return <Failure error={error} onRetry={reload} />
  if (!data) return <Loading what="the row" />
  return (
    <>
      <Body data={data} heading={heading} onOpen={onOpen} onClose={onClose} />
      {data.kind === "answer" && run.can_label && (
        <LabelForm
          key={data.index.rows.id[0]}
          run={run}
          row={data.index.rows.id[0]!}
          given={data.index.rows.labels}
          fixedRater={rater}
          onDone={() => {
            reload()
            onLabelled()
          }}
        />
      )}
    </>
  )
}

interface BodyProps {
  data: RowDetailReply
  heading: { current: HTMLHeadingElement | null }
  onOpen: (at: number) => void
  onClose: () => void
}

function Body({ data, heading, onOpen, onClose }: BodyProps) {
  const tests = useMemo(() => (data.kind === "test" ? new ServedTests(data.index, data.items) : null), [data])
  const pair = useMemo(() => (data.kind === "answer" ? new ServedPair(data.index, data.pair) : null), [data])
  if (tests && data.kind === "test")
    return (
      <TestDetail
        store={tests}
        row={data.row}
        heading={heading}
        onOpen={(row) => onOpen(data.rows[row]!)}
        onClose={onClose}
      />
    )
  return (
    <>
      <h2 class="sr">Answer</h2>
      <PairDetail store={pair!} row={0} kind={undefined} heading={heading} onClose={onClose} />
    </>
  )
}

const LABEL = "correct"
const RATER_KEY = "sensecheck-rater"

interface LabelProps {
  run: RunHead
  row: string
  given: Record<string, (number | null)[]>
  fixedRater: string
  onDone: () => void
}

/** What a person says of the answer; labels are stored with the run, and are not changed later. */
function LabelForm({ run, row, given, fixedRater, onDone }: LabelProps) {
  const [rater, setRater] = useState(fixedRater || storedRater())
  const [error, setError] = useState<RequestError | null>(null)
  const say = (value: number) => {
    setError(null)
    storeRater(rater)
    send(`/runs/${run.id}/labels`, { id: row, name: LABEL, value, rater }).then(onDone, setError)
  }
  const said = given[LABEL]?.[0]
  return (
    <section class="card label-form" aria-label="Label">
      <h3>Is this answer correct?</h3>
      {said !== null && said !== undefined && (
        <p class="small">
          Labelled {said === 1 ? "correct" : said === 0 ? "wrong" : said}. Labels are not changed; another
          person may add theirs.
        </p>
      )}
      <div class="label-buttons">
        <button type="button" onClick={() => say(1)}>
          Correct
        </button>
        <button type="button" onClick={() => say(0)}>
          Wrong
        </button>
        {!fixedRater && (
          <label>
            your name
            <input value={rater} maxLength={100} onInput={(event) => setRater(event.currentTarget.value)} />
          </label>
        )}
      </div>
      {error && <Failure error={error} />}
    </section>
  )
}

function storedRater(): string {
  try {
    return localStorage.getItem(RATER_KEY) ?? ""
  } catch {
    return ""
  }
}

function storeRater(name: string): void {
  try {
    localStorage.setItem(RATER_KEY, name)
  } catch {
    return
  }
}
