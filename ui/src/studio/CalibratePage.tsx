import { useEffect, useMemo, useState } from "preact/hooks"
import { Reliability } from "../card/Reliability"
import { RocCurve } from "../card/RocCurve"
import { share, type CardData } from "../data/card"
import { integer, plural } from "../data/format"
import { useReloadWhile, useRequest, type Me, type RunHead } from "./api"
import { CutoffChart, type Handle } from "./CutoffChart"
import { RateTiles, useSettled, WrongRows } from "./CutoffFigures"
import { countsAt, placeOf, ratesAt, rocOf, valueAt, type Chart, type Placed } from "./cutoffs"
import { DriftPanel } from "./DriftPanel"
import { FitPanel, type FittedCard } from "./FitPanel"
import { Failure, Link, Loading, PageFailure, PageLoading, runTitle, Select } from "./parts"
import { reviewLink, runLink, type Go, type SetParams } from "./route"

interface Props {
  id: string
  me: Me
  go: Go
  params: URLSearchParams
  setParams: SetParams
}

const CHOICES = ["metric", "label", "rows", "good", "fpr", "fnr"]

/** A cutoff for a metric of a run: dragged over the labelled readings, or fitted so that it keeps a promise. */
export function CalibratePage({ id, me, go, params, setParams }: Props) {
  const head = useRequest<RunHead>(`/runs/${id}`)
  const query = new URLSearchParams([...params].filter(([name]) => CHOICES.includes(name)))
  if (!query.has("fpr") && !query.has("fnr")) query.set("fpr", "0.05")
  const chart = useRequest<Chart>(`/runs/${id}/calibrate?${query}`)
  useReloadWhile(chart.data?.indexed === false, chart.reload, 2500)
  useEffect(() => {
    if (head.data) document.title = `Calibrate · ${head.data.project} · sensecheck studio`
  }, [head.data])
  if (head.error) return <PageFailure error={head.error} onRetry={head.reload} />
  if (!head.data) return <PageLoading what="the run" />
  const run = head.data
  return (
    <main id="main" class="page calibrate" tabIndex={-1}>
      <header class="page-head">
        <h1>Calibrate</h1>
        <p class="small" dir="auto">
          <Link to={runLink(id)} go={go}>
            {run.project} · {runTitle(run)}
          </Link>
        </p>
        {me.may_label && (
          <p class="page-links">
            <Link to={reviewLink(id)} go={go} class="button">
              Review
            </Link>
          </p>
        )}
      </header>
      {chart.error ? (
        <Failure error={chart.error} onRetry={chart.reload} />
      ) : !chart.data ? (
        <Loading what="the readings" />
      ) : (
        <Bench
          key={`${chart.data.metric} ${chart.data.good}`}
          {...{ id, run, go, params, setParams, query }}
          chart={chart.data}
        />
      )}
    </main>
  )
}

interface BenchProps extends Omit<Props, "me"> {
  run: RunHead
  chart: Chart
  query: URLSearchParams
}

function Bench({ id, run, chart, go, setParams, query }: BenchProps) {
  const [placed, setPlaced] = useState<Placed>(() => ({
    cutoff: placeOf(chart, chart.start ?? 0.5),
    band: null,
  }))
  const [fitted, setFitted] = useState<FittedCard | null>(null)
  const [moved, setMoved] = useState(true)
  const fpr = query.has("fpr") ? Number(query.get("fpr")) : null
  const fnr = query.has("fnr") ? Number(query.get("fnr")) : null
  const counts = useMemo(() => countsAt(chart, placed), [chart, placed])
  const rates = useMemo(() => ratesAt(chart, counts, fpr, fnr), [chart, counts, fpr, fnr])
  const settled = useSettled(placed)
  const roc = useMemo(() => rocOf(chart, countsAt(chart, settled)), [chart, settled])
  const move = (handle: Handle, place: number) => {
    setMoved(true)
    setPlaced((now) => movedTo(now, handle, place))
  }
  const labelled = chart.n.good + chart.n.bad
  const targets: CardData["targets"] = {}
  if (fpr !== null) targets.false_accepts = fpr
  if (fnr !== null) targets.false_rejects = fnr
  return (
    <>
      <div class="toolbar">
        <Select
          label="Metric"
          all=""
          value={chart.metric}
          choices={chart.metrics.map(({ name }) => name)}
          onChoose={(metric) => setParams({ metric })}
        />
        {chart.labels.length > 1 && (
          <Select
            label="Label"
            all=""
            value={chart.label}
            choices={chart.labels}
            onChoose={(label) => setParams({ label })}
          />
        )}
        <Select
          label="Labelled rows"
          all=""
          value={chart.rows}
          choices={[
            ["random", `random sample (${integer(chart.sample.labelled)})`],
            ["all", `all labels (${integer(chart.labelled)})`],
          ]}
          onChoose={(rows) => setParams({ rows: rows === "random" ? null : rows })}
        />
        <Select
          label="Good side"
          all=""
          value={chart.good}
          choices={[
            ["above", "higher is better"],
            ["below", "lower is better"],
          ]}
          onChoose={(good) => setParams({ good: good === "above" ? null : good })}
        />
      </div>
      {labelled === 0 ? (
        <NoLabels {...{ id, chart, go }} />
      ) : (
        <>
          <section class="card cutoff-card" aria-label="Cutoff">
            <div class="cutoff-head">
              <p class="cutoff-value">
                <b>
                  {moved || !fitted ? valueAt(chart, placed.cutoff) : Number(fitted.cutoff.toPrecision(6))}
                </b>
                <span class="small">cutoff of {chart.metric}</span>
              </p>
              <Standing moved={moved} fitted={fitted} rows={chart.rows} />
            </div>
            <p class="legend small">
              <span class="key key-good">good ({integer(chart.n.good)})</span>
              <span class="key key-bad">bad ({integer(chart.n.bad)})</span>
              {chart.n.other > 0 && <span class="key key-other">not counted ({integer(chart.n.other)})</span>}
            </p>
            <CutoffChart
              chart={chart}
              placed={placed}
              exact={moved || !fitted ? null : fitted.cutoff}
              onMove={move}
            />
            <Sliders
              chart={chart}
              placed={placed}
              onMove={move}
              onBand={(band) => {
                setMoved(true)
                setPlaced(({ cutoff }) => ({ cutoff, band }))
              }}
            />
            <RateTiles rates={rates} fpr={fpr} fnr={fnr} promised={!moved && fitted !== null} />
            <p class="small">
              Good answers are above the axis and bad ones below, each as a share of its label.
              {chart.split > 0 &&
                ` ${plural(chart.split, "answer")} with as many labels for as against it are left out.`}
              {chart.sample.skipped > 0 &&
                ` ${plural(chart.sample.skipped, "row")} of the random sample were skipped.`}
              {chart.n.other > 0 &&
                counts.passes.other > 0 &&
                ` Of the ${integer(chart.n.other)} others, ${share(counts.passes.other / chart.n.other)} would pass.`}
            </p>
          </section>
          <FitPanel
            {...{ id, run, chart, fpr, fnr, setParams }}
            fitted={fitted}
            onFitted={(card) => {
              setFitted(card)
              setMoved(card === null)
              if (card) setPlaced(placedAs(chart, card))
            }}
          />
          <WrongRows {...{ id, chart, placed, query, go }} />
          <div class="chart-pair">
            {roc && <RocCurve card={{ targets } as CardData} roc={roc} />}
            {fitted && fitted.page.reliability.length > 0 && <Reliability bins={fitted.page.reliability} />}
          </div>
        </>
      )}
      <DriftPanel id={id} metric={chart.metric} />
    </>
  )
}

/** Where a line comes to lie: the cutoff stays within its band. */
function movedTo({ cutoff, band }: Placed, handle: Handle, place: number): Placed {
  if (!band) return { cutoff: place, band }
  const [low, high] = band
  if (handle === "low") return { cutoff: Math.max(cutoff, place), band: [place, Math.max(high, place)] }
  if (handle === "high") return { cutoff: Math.min(cutoff, place), band: [Math.min(low, place), place] }
  return { cutoff: place, band: [Math.min(low, place), Math.max(high, place)] }
}

function placedAs(chart: Chart, { cutoff, unsure }: FittedCard): Placed {
  return {
    cutoff: placeOf(chart, cutoff),
    band: unsure ? [placeOf(chart, unsure[0]), placeOf(chart, unsure[1])] : null,
  }
}

/** Whether the cutoff promises anything: only a fitted one does. */
function Standing({
  moved,
  fitted,
  rows,
}: {
  moved: boolean
  fitted: FittedCard | null
  rows: Chart["rows"]
}) {
  const calibrated =
    !moved && fitted !== null && fitted.page.targets && Object.keys(fitted.page.targets).length > 0
  return (
    <p class="standing" role="status">
      <span class={`tag ${calibrated ? "tag-pass" : "tag-unsure"}`}>
        {calibrated ? "calibrated" : "uncalibrated"}
      </span>
      <span class="small">
        {calibrated
          ? fitted.page.promise
          : moved
            ? "Placed by hand: it promises nothing. Fit restores the guarantee."
            : "Fitted without a promise."}
        {rows === "all" && moved && " All labels are shown, also those that were not drawn at random."}
      </span>
    </p>
  )
}

interface SliderProps {
  chart: Chart
  placed: Placed
  onMove: (handle: Handle, place: number) => void
  onBand: (band: Placed["band"]) => void
}

/** The same lines for the keyboard. */
function Sliders({ chart, placed, onMove, onBand }: SliderProps) {
  const { cutoff, band } = placed
  const last = chart.grid.count - 1
  const width = Math.max(1, Math.round(last / 20))
  const slider = (handle: Handle, name: string, place: number) => (
    <label class="slider">
      <span>{name}</span>
      <input
        type="range"
        min={0}
        max={last}
        step={1}
        value={place}
        aria-valuetext={String(valueAt(chart, place))}
        onInput={(event) => onMove(handle, Number(event.currentTarget.value))}
      />
      <output>{valueAt(chart, place)}</output>
    </label>
  )
  return (
    <div class="sliders">
      {slider("cutoff", "Cutoff", cutoff)}
      {band && slider("low", "Unsure from", band[0])}
      {band && slider("high", "Unsure to", band[1])}
      <label class="check">
        <input
          type="checkbox"
          checked={band !== null}
          onChange={(event) =>
            onBand(
              event.currentTarget.checked
                ? [Math.max(0, cutoff - width), Math.min(last, cutoff + width)]
                : null,
            )
          }
        />
        unsure band
      </label>
    </div>
  )
}

function NoLabels({ id, chart, go }: { id: string; chart: Chart; go: Go }) {
  return (
    <div class="card review-empty">
      <h2>No labels to calibrate on</h2>
      <p>
        {chart.labelled > 0
          ? `${plural(chart.labelled, "row")} of this run are labelled, and none of them is in the random sample yet. Choose all labels above to look at them, or review rows in random order.`
          : "Review some rows first: say of answers whether they are correct."}
      </p>
      <p>
        <Link to={reviewLink(id)} go={go} class="button">
          Review in random order
        </Link>
      </p>
    </div>
  )
}
