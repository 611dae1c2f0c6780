import { useEffect, useMemo, useRef } from "preact/hooks"
import type { EvalPair, EvalsIndex } from "../data/evals"
import { EvalsStore } from "../data/evalsStore"
import type { Detail, Index, Texts } from "../data/run"
import { Store } from "../data/store"
import { PairDetail } from "../evals/PairDetail"
import { TestDetail } from "../report/TestDetail"
import { useRequest, type RowDetailReply, type RunHead } from "./api"
import { LabelForm } from "./LabelForm"
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
      {run.can_label && <LabelForm key={at} run={run} at={at} fixedRater={rater} onDone={onLabelled} />}
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
