import type { Ref } from "preact"
import { useEffect, useState } from "preact/hooks"
import { decidingRun } from "../data/decidingRun"
import type { Detail, Texts } from "../data/run"
import { otherResults } from "../data/otherResults"
import type { Store } from "../data/store"
import { PromptCard } from "./PromptCard"
import { OtherAnswers } from "./OtherAnswers"
import { Repeats } from "./Repeats"
import { RunDetail } from "./RunDetail"

interface Opened {
  row: number
  detail: Detail
  texts: Texts
}

interface Props {
  store: Store
  row: number
  onOpen: (row: number) => void
  onClose: () => void
  heading: Ref<HTMLHeadingElement>
}

/** One test: its answer, its assertions and its prompt. */
export function TestDetail({ store, row, onOpen, onClose, heading }: Props) {
  const { rows, sources, wordings } = store.index
  const opened = useOpened(store, row)
  const loaded = opened?.row === row ? opened : null
  const about = [
    sources[rows.source[row]!],
    wordings.length > 1 && wordings[rows.wording[row]!],
    rows.consistency[row],
    loaded?.detail.place,
  ]
  return (
    <article class="detail" aria-labelledby="detail-title">
      <header class="detail-head">
        <div>
          <p class="eyebrow">
            Test {rows.test[row]} · {about.filter(Boolean).join(" · ")}
          </p>
          <h2 id="detail-title" ref={heading} tabIndex={-1} dir="auto">
            {loaded?.texts.description || rows.title[row]}
          </h2>
        </div>
        <button
          type="button"
          class="quiet close"
          onClick={onClose}
          aria-label="Close this test"
          title="Close (Esc)"
        >
          ✕
        </button>
      </header>
      {loaded ? <Body key={row} store={store} onOpen={onOpen} {...loaded} /> : <p class="empty">…</p>}
    </article>
  )
}

/** The details of a test; the previous test stays until the next one is loaded, to avoid flicker. */
function useOpened(store: Store, row: number): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null)
  useEffect(() => {
    let active = true
    void store.detail(row).then((loaded) => active && setOpened({ row, ...loaded }))
    return () => {
      active = false
    }
  }, [store, row])
  return opened
}

function Body({ store, row, detail, texts, onOpen }: Opened & Pick<Props, "store" | "onOpen">) {
  const [shown, setShown] = useState(() => decidingRun(store.index, row, detail))
  return (
    <>
      {detail.runs.length > 1 && (
        <Repeats runs={detail.runs} passes={detail.passes} shown={shown} onShow={setShown} />
      )}
      <RunDetail
        key={shown}
        cutoffs={store.index.lines}
        run={detail.runs[shown]!}
        answer={texts.answers[shown] ?? null}
        expectedVariable={texts.vars["expected"]}
      >
        <OtherAnswers store={store} rows={otherResults(store.index, row)} onOpen={onOpen} />
      </RunDetail>
      <PromptCard detail={detail} texts={texts} />
    </>
  )
}
