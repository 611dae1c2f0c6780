import { useEffect, useState } from "preact/hooks"
import { hits, interval, share } from "../data/card"
import type { PromiseState, Share } from "../data/binomial"
import { decimals, integer, plural } from "../data/format"
import { useRequest } from "./api"
import { valueAt, type Chart, type Placed, type Rates } from "./cutoffs"
import { Failure, Link, Loading } from "./parts"
import { runLink, type Go } from "./route"

interface TilesProps {
  rates: Rates
  fpr: number | null
  fnr: number | null
  /** Whether the cutoff is a fitted one, which keeps its promise whatever these labels say of it. */
  promised: boolean
}

/** What a cutoff does to the labelled answers, with intervals, and what is missing for a promise. */
export function RateTiles({ rates, fpr, fnr, promised }: TilesProps) {
  return (
    <dl class="rates">
      <Tile
        kind="false_accepts"
        what="bad answers that pass"
        label="bad"
        rate={rates.accepts}
        limit={fpr}
        promise={promised ? null : rates.acceptsPromise}
      />
      <Tile
        kind="false_rejects"
        what="good answers that fail"
        label="good"
        rate={rates.rejects}
        limit={fnr}
        promise={promised ? null : rates.rejectsPromise}
      />
      <Tile
        kind="unsure"
        what="answers left unsure"
        label=""
        rate={rates.unsure}
        limit={null}
        promise={null}
      />
    </dl>
  )
}

interface TileProps {
  kind: string
  what: string
  label: string
  rate: Share | null
  limit: number | null
  promise: PromiseState | null
}

function Tile({ kind, what, label, rate, limit, promise }: TileProps) {
  const most = limit === null ? "" : `at most ${share(limit)}`
  const state = promise?.state ?? "holds"
  const said = !promise
    ? `promised: ${most}`
    : state === "holds"
      ? `${most}: these labels agree`
      : state === "broken"
        ? `${most}: these labels contradict it`
        : `${most}: ${integer(promise.more)} more ${label} labels needed`
  return (
    <div class={`tile-rate tile-${kind}`}>
      <dt>{what}</dt>
      <dd>
        <b>{rate ? share(rate.value) : "–"}</b>
        <span>{rate ? `${hits(rate)}; 95% interval ${interval(rate)}` : "there is no such label yet"}</span>
        {most && <span class={`needs needs-${state.replace(" ", "-")}`}>{said}</span>}
      </dd>
    </div>
  )
}

interface WrongReply {
  total: number
  rows: { at: number; id: string; title: string; value: number; good: boolean }[]
}

interface WrongProps {
  id: string
  chart: Chart
  placed: Placed
  query: URLSearchParams
  go: Go
}

/** Labelled rows on the wrong side, the most confident ones first. */
export function WrongRows({ id, chart, placed, query, go }: WrongProps) {
  const at = new URLSearchParams([...query].filter(([name]) => name !== "fpr" && name !== "fnr"))
  at.set("cutoff", String(valueAt(chart, placed.cutoff)))
  if (placed.band) {
    at.set("low", String(valueAt(chart, placed.band[0])))
    at.set("high", String(valueAt(chart, placed.band[1])))
  }
  const path = useSettled(`/runs/${id}/calibrate/wrong?${at}`)
  const { data, error } = useRequest<WrongReply>(path)
  return (
    <section class="card wrong-rows">
      <h2>Confident and wrong</h2>
      {error ? (
        <Failure error={error} />
      ) : !data ? (
        <Loading what="the rows" />
      ) : data.total === 0 ? (
        <p>No labelled answer is on the wrong side of this cutoff.</p>
      ) : (
        <>
          <p class="small">
            {plural(data.total, "labelled answer")} on the wrong side, those furthest from the cutoff first.
          </p>
          <ol class="disagreements">
            {data.rows.slice(0, 12).map((row) => (
              <li key={row.at}>
                <span class={`tag ${row.good ? "tag-pass" : "tag-fail"}`}>{row.good ? "good" : "bad"}</span>
                <Link to={runLink(id, `row=${row.at}`)} go={go}>
                  <span dir="auto">{row.title}</span>
                </Link>
                <span class="figure">
                  {decimals(row.value)} {row.good ? "fails" : "passes"}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

/** A value once it has not changed for a moment. */
export function useSettled<T>(value: T, milliseconds = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
