import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { NO_PAIR_FILTER, filterPairs, sortPairs, type PairFilter, type PairOrder } from "../data/evalsFilter"
import { metricName, type EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { countsOf, factsDiffer, initialAxes, kindsOf, correctnessLabel } from "../data/kinds"
import { integer } from "../data/format"
import { useKeys } from "../components/useKeys"
import { Controls, ListHeader, KindFilter, AxisControls } from "./Controls"
import { PairDetail } from "./PairDetail"
import { PairList } from "./PairList"
import { QuadrantChart } from "./QuadrantChart"

interface Props {
  store: EvalsStore
  open: number | null
  onOpen: (row: number | null) => void
  onTheme: () => void
}

/** Similarity of meaning and of wording, answer by answer: a chart, a list, and the chosen pair. */
export function Pairs({ store, open, onOpen, onTheme }: Props) {
  const { index } = store
  const [axes, setAxes] = useState(() => initialAxes(index))
  const [filter, setFilter] = useState<PairFilter>(NO_PAIR_FILTER)
  const [order, setOrder] = useState<PairOrder>("difference")
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { textOf, searching } = useSearchTexts(store, filter.query.trim() !== "")
  const kinds = useMemo(() => (axes ? kindsOf(index, axes) : []), [index, axes])
  const kindCounts = useMemo(() => (axes ? countsOf(index, axes, kinds) : null), [index, axes, kinds])
  const listed = useMemo(() => {
    const differs = (row: number) => factsDiffer(index, row)
    return sortPairs(index, filterPairs(index, filter, { kinds, differs, textOf }), order, axes)
  }, [index, filter, kinds, textOf, order, axes])
  const step = (by: number) => {
    document.getElementById("list")?.focus({ preventScroll: true })
    const at = (open === null ? -1 : listed.indexOf(open)) + by
    onOpen(listed[Math.max(0, Math.min(listed.length - 1, at))] ?? null)
  }
  const escape = () => {
    if (document.activeElement !== field.current) onOpen(null)
    else if (filter.query) setFilter({ ...filter, query: "" })
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
  const differing = useMemo(() => countDiffering(index), [index])
  return (
    <section class="card pairs" id="pairs">
      <h2>{axes ? "Meaning and wording" : "Answers"}</h2>
      <Shown index={index} />
      <Controls {...{ index, filter, field }} onFilter={setFilter} />
      {axes && kindCounts && (
        <KindFilter {...{ filter, differing }} counts={kindCounts.counts} onFilter={setFilter} />
      )}
      <div class={axes ? "explorer" : "explorer list-only"}>
        {axes && kindCounts && (
          <div>
            <QuadrantChart
              {...{ index, axes, kinds, listed, open }}
              counts={kindCounts.counts}
              onOpen={onOpen}
            />
            <AxisControls {...{ index, axes }} onAxes={setAxes} />
          </div>
        )}
        <div class="listing" onKeyDown={arrows}>
          <ListHeader
            {...{ index, filter, searching, order }}
            matchCount={listed.length}
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
          Click a mark, or use <kbd>j</kbd> and <kbd>k</kbd>, to open an answer.
        </p>
      )}
      {axes && kindCounts && (
        <p class="small below">
          Scores at or above the cutoffs count as high; the cutoffs are uncalibrated and can be moved. A copy
          with one changed fact has nearly the same meaning for an encoder. So if an answer is known to be
          wrong, that decides its kind, and not its position: with a high wording score it is “copied with a
          changed fact”, otherwise with a high meaning score “close, but wrong”. {wrongnessRule(index)} A mark
          is hollow if a fact differs or is missing.
          {!kindCounts.complete &&
            ` The counts include only the shown answers, since ${metricName(index.metrics, axes.across)} and ${metricName(index.metrics, axes.upwards)} are not counted together for the others.`}
        </p>
      )}
    </section>
  )
}

/** How it is decided whether an answer is wrong. */
function wrongnessRule(index: EvalsIndex): string {
  const label = correctnessLabel(index)
  const by = [
    label !== null && `the human label says so (${label})`,
    index.axes?.correct != null && "its correctness is below 0.5 (uncalibrated)",
    index.axes?.facts != null && "a fact differs",
  ].filter(Boolean)
  return by.length ? `An answer is wrong if ${by.join(", otherwise if ")}.` : ""
}

function countDiffering(index: EvalsIndex): number | null {
  if (index.axes?.facts == null) return null
  const shown = index.rows.id.filter((_, row) => factsDiffer(index, row)).length
  return shown + index.cells.reduce((sum, [, , differs, count]) => sum + Math.min(differs, 1) * count, 0)
}

/** Which answers are shown, if there are more than a page can contain. */
function Shown({ index: { rows, reached, reasons } }: { index: EvalsIndex }) {
  if (rows.id.length === reached) return null
  const why = Object.entries(reasons).map(([reason, count]) => `${integer(count)} ${reason}`)
  return (
    <p class="lead shown">
      <b>
        {integer(rows.id.length)} of {integer(reached)} shown
      </b>
      : {why.join(", ")}. All figures except the marks and the list refer to the complete run.
    </p>
  )
}

/** The searchable text of each answer: titles at once, all texts once they are unpacked. */
function useSearchTexts(
  store: EvalsStore,
  hasQuery: boolean,
): { textOf: (row: number) => string; searching: boolean } {
  const [texts, setTexts] = useState<string[] | null>(null)
  useEffect(() => {
    if (hasQuery && !texts) void store.searchTexts().then(setTexts)
  }, [hasQuery, store, texts])
  const textOf = useMemo(() => {
    const { id, title } = store.index.rows
    return (row: number) => `${id[row]!.toLowerCase()}\n${texts?.[row] ?? title[row]!.toLowerCase()}`
  }, [store, texts])
  return { textOf, searching: hasQuery && !texts }
}
