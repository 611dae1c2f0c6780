import type { Ref } from "preact"
import { useEffect, useState } from "preact/hooks"
import { deciding } from "../data/deciding"
import type { Detail, Texts } from "../data/run"
import { siblings } from "../data/siblings"
import type { Store } from "../data/store"
import { Asking } from "./Asking"
import { Others } from "./Others"
import { Repeats } from "./Repeats"
import { RunOf } from "./RunOf"

interface Opened {
  row: number
  detail: Detail
  texts: Texts
}

interface Asked {
  store: Store
  row: number
  onOpen: (row: number) => void
  onClose: () => void
  heading: Ref<HTMLHeadingElement>
}

/** One test: what was asked and answered, and why it came out as it did. */
export function TestDetail({ store, row, onOpen, onClose, heading }: Asked) {
  const { rows, sources, wordings } = store.index
  const opened = useOpened(store, row)
  const there = opened?.row === row ? opened : null
  const about = [
    sources[rows.source[row]!],
    wordings.length > 1 && wordings[rows.wording[row]!],
    rows.consistency[row],
    there?.detail.place,
  ]
  return (
    <article class="detail" aria-labelledby="detail-title">
      <header class="detail-head">
        <div>
          <p class="over">
            Test {rows.test[row]} · {about.filter(Boolean).join(" · ")}
          </p>
          <h2 id="detail-title" ref={heading} tabIndex={-1} dir="auto">
            {there?.texts.description || rows.title[row]}
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
      {there ? <Body key={row} store={store} onOpen={onOpen} {...there} /> : <p class="empty">…</p>}
    </article>
  )
}

/** Until the next test is there, the one before stays, so that nothing flickers. */
function useOpened(store: Store, row: number): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null)
  useEffect(() => {
    let wanted = true
    void store.detail(row).then((held) => wanted && setOpened({ row, ...held }))
    return () => {
      wanted = false
    }
  }, [store, row])
  return opened
}

function Body({ store, row, detail, texts, onOpen }: Opened & Pick<Asked, "store" | "onOpen">) {
  const [shown, setShown] = useState(() => deciding(store.index, row, detail))
  return (
    <>
      {detail.runs.length > 1 && (
        <Repeats runs={detail.runs} passes={detail.passes} shown={shown} onShow={setShown} />
      )}
      <RunOf
        key={shown}
        lines={store.index.lines}
        run={detail.runs[shown]!}
        answer={texts.answers[shown] ?? null}
        known={texts.vars["expected"]}
      >
        <Others store={store} rows={siblings(store.index, row)} onOpen={onOpen} />
      </RunOf>
      <Asking detail={detail} texts={texts} />
    </>
  )
}
