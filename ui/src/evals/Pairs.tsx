import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { ALL, fittingRows, orderedRows, type EvalsFilter, type EvalsOrder } from "../data/evalsFilter"
import { metricName, type EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { countsOf, factsDiffer, firstAxes, kindsOf, labelOf } from "../data/fields"
import { whole } from "../data/words"
import { useKeys } from "../pieces/keyboard"
import { Controls, Found, KindFilter, Lines } from "./Controls"
import { PairDetail } from "./PairDetail"
import { PairList } from "./PairList"
import { Quadrant } from "./Quadrant"

interface Asked {
  store: EvalsStore
  open: number | null
  onOpen: (row: number | null) => void
  onTheme: () => void
}

/** Meaning against words, answer by answer: a picture, the same as a list, and the pair that was chosen. */
export function Pairs({ store, open, onOpen, onTheme }: Asked) {
  const { index } = store
  const [axes, setAxes] = useState(() => firstAxes(index))
  const [filter, setFilter] = useState<EvalsFilter>(ALL)
  const [order, setOrder] = useState<EvalsOrder>("apart")
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { said, searching } = useSaid(store, filter.words.trim() !== "")
  const kinds = useMemo(() => (axes ? kindsOf(index, axes) : []), [index, axes])
  const told = useMemo(() => (axes ? countsOf(index, axes, kinds) : null), [index, axes, kinds])
  const listed = useMemo(() => {
    const differs = (row: number) => factsDiffer(index, row)
    return orderedRows(index, fittingRows(index, filter, { kinds, differs, said }), order, axes)
  }, [index, filter, kinds, said, order, axes])
  const step = (by: number) => {
    document.getElementById("list")?.focus({ preventScroll: true })
    const at = (open === null ? -1 : listed.indexOf(open)) + by
    onOpen(listed[Math.max(0, Math.min(listed.length - 1, at))] ?? null)
  }
  const escape = () => {
    if (document.activeElement !== field.current) onOpen(null)
    else if (filter.words) setFilter({ ...filter, words: "" })
    else field.current?.blur()
  }
  const arrows = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (!by || !(event.target instanceof Element) || !event.target.closest("#list")) return
    event.preventDefault()
    step(by)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    "/": () => field.current?.focus(),
    t: onTheme,
    Enter: () => (open === null ? step(1) : heading.current?.focus()),
    Escape: escape,
  })
  const differing = useMemo(() => counted(index), [index])
  return (
    <section class="card pairs" id="pairs">
      <h2>{axes ? "Meaning against words" : "Answer by answer"}</h2>
      <Shown index={index} />
      <Controls {...{ index, filter, field }} onFilter={setFilter} />
      {axes && told && <KindFilter {...{ filter, differing }} counts={told.counts} onFilter={setFilter} />}
      <div class={axes ? "looked" : "looked listed-only"}>
        {axes && told && (
          <div>
            <Quadrant {...{ index, axes, kinds, listed, open }} counts={told.counts} onOpen={onOpen} />
            <Lines {...{ index, axes }} onAxes={setAxes} />
          </div>
        )}
        <div class="listing" onKeyDown={arrows}>
          <Found
            {...{ index, filter, searching, order }}
            found={listed.length}
            onFilter={setFilter}
            onOrder={setOrder}
          />
          <PairList {...{ index, axes, kinds, listed, open }} onOpen={onOpen} />
        </div>
      </div>
      {open !== null ? (
        <PairDetail {...{ store, heading }} row={open} kind={kinds[open]} onClose={() => onOpen(null)} />
      ) : (
        <p class="small hint">
          Press a mark, or go through the list with <kbd>j</kbd> and <kbd>k</kbd>, to see a pair.
        </p>
      )}
      {axes && told && (
        <p class="small below">
          High means at or above the lines, which are hand-picked and fitted on nothing: move them. An answer
          that is copied with one fact changed stays close in meaning for an encoder, so where it is known
          that an answer is wrong, that decides about its kind and not the place where it lies: with high
          words it is “copied with a changed fact”, else with a high meaning “close, but wrong”.{" "}
          {deciding(index)} A mark is hollow where a fact differs or is missing.
          {!told.whole &&
            ` The counts are of the answers that are shown, since ${metricName(index.metrics, axes.across)} against ${metricName(index.metrics, axes.upwards)} is not counted for the others.`}
        </p>
      )}
    </section>
  )
}

/** What says whether an answer is wrong. */
function deciding(index: EvalsIndex): string {
  const label = labelOf(index)
  const by = [
    label !== null && `people said so (${label})`,
    index.axes?.correct != null && "its correctness is below 0.5, hand-picked too",
    index.axes?.facts != null && "a fact of it differs",
  ].filter(Boolean)
  return by.length ? `It is known to be wrong where ${by.join(", or else where ")}.` : ""
}

function counted(index: EvalsIndex): number | null {
  if (index.axes?.facts == null) return null
  const shown = index.rows.id.filter((_, row) => factsDiffer(index, row)).length
  return shown + index.cells.reduce((sum, [, , differs, count]) => sum + Math.min(differs, 1) * count, 0)
}

/** Which answers can be looked at, where there are more than a page can hold. */
function Shown({ index: { rows, reached, reasons } }: { index: EvalsIndex }) {
  if (rows.id.length === reached) return null
  const why = Object.entries(reasons).map(([reason, count]) => `${whole(count)} ${reason}`)
  return (
    <p class="lead shown">
      <b>
        {whole(rows.id.length)} of {whole(reached)} shown
      </b>
      : {why.join(", ")}. All figures but the marks and the list are of the whole run.
    </p>
  )
}

/** What can be found by words: titles at once, and all texts as soon as they are unpacked. */
function useSaid(store: EvalsStore, asked: boolean): { said: (row: number) => string; searching: boolean } {
  const [texts, setTexts] = useState<string[] | null>(null)
  useEffect(() => {
    if (asked && !texts) void store.said().then(setTexts)
  }, [asked, store, texts])
  const said = useMemo(() => {
    const { id, title } = store.index.rows
    return (row: number) => `${id[row]!.toLowerCase()}\n${texts?.[row] ?? title[row]!.toLowerCase()}`
  }, [store, texts])
  return { said, searching: asked && !texts }
}
