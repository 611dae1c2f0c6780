import { axisX, axisY, gridY, lineY, plot, rect, ruleX } from "@observablehq/plot"
import { useState } from "preact/hooks"
import { STYLE } from "../card/Figure"
import { Chart, chartHeight } from "../components/Chart"
import { CodeText } from "../components/CodeText"
import { ScrollTable } from "../components/ScrollTable"
import { score, share } from "../data/card"
import { integer } from "../data/format"
import { useRequest } from "./api"
import { Failure, Select } from "./parts"

const TITLES = { stable: "no drift", somewhat: "some drift", moved: "drift", "too few": "too few scores" }

interface Drift {
  card: string
  date: string
  n: number
  n_card: number
  cutoff: number
  edges: number[]
  shares: number[]
  shares_card: number[]
  degree: keyof typeof TITLES
  /** What it means, in words. */
  because: string
}

interface DriftReply {
  cards: string[]
  drift: Drift | null
}

/** The scores of the run beside those that a saved card was fitted on; nothing where there is no such card. */
export function DriftPanel({ id, metric }: { id: string; metric: string }) {
  const [card, setCard] = useState("")
  const query = new URLSearchParams({ metric, ...(card && { card }) })
  const { data, error, reload } = useRequest<DriftReply>(`/runs/${id}/calibrate/drift?${query}`)
  if (error) return <Failure error={error} onRetry={reload} />
  if (!data?.drift) return null
  const { drift, cards } = data
  return (
    <section class="card drift">
      <div class="drift-head">
        <h2>Drift of scores</h2>
        <span class={`tag ${drift.degree === "stable" ? "tag-pass" : "tag-unsure"}`}>
          {TITLES[drift.degree]}
        </span>
        {cards.length > 1 && (
          <Select label="Card" all="" value={drift.card} choices={cards} onChoose={setCard} />
        )}
      </div>
      <p class="lead">
        <CodeText text={drift.because} />
      </p>
      <p class="legend small">
        <span class="key key-good">this run ({integer(drift.n)})</span>
        <span class="key key-card">
          card of {drift.date} ({integer(drift.n_card)})
        </span>
        <span class="key key-cutoff">cutoff of the card</span>
      </p>
      <Chart
        data={drift}
        draw={drawDrift}
        label={`Histogram of ${integer(drift.n)} scores of this run beside the ${integer(drift.n_card)} of the card. ${drift.because}`}
      />
      <details>
        <summary>Data as a table</summary>
        <ScrollTable label="Shares of scores">
          <thead>
            <tr>
              <th scope="col">score</th>
              <th scope="col" class="figure">
                this run
              </th>
              <th scope="col" class="figure">
                card
              </th>
            </tr>
          </thead>
          <tbody>
            {drift.shares.map((value, at) => (
              <tr key={at}>
                <th scope="row">
                  {score(drift.edges[at]!)} to {score(drift.edges[at + 1]!)}
                </th>
                <td class="figure">{share(value)}</td>
                <td class="figure">{share(drift.shares_card[at]!)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      </details>
    </section>
  )
}

function drawDrift({ edges, shares, shares_card, cutoff }: Drift, width: number): Element {
  const bars = shares.map((value, at) => ({ from: edges[at]!, to: edges[at + 1]!, value }))
  const steps = edges.map((edge, at) => ({ edge, value: shares_card[Math.min(at, shares.length - 1)]! }))
  return plot({
    width,
    height: chartHeight(width, 180, 260, 0.3),
    marginLeft: 52,
    marginRight: 14,
    marginTop: 22,
    marginBottom: 26,
    style: STYLE,
    x: { domain: [edges[0]!, edges.at(-1)!] },
    y: { domain: [0, Math.max(...shares, ...shares_card) * 1.05] },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.12, ticks: 4 }),
      axisY({ ticks: 4, tickSize: 0, label: null, tickFormat: share }),
      axisX({ ticks: width > 480 ? 9 : 5, tickSize: 0, label: null, tickFormat: score }),
      rect(bars, {
        x1: "from",
        x2: "to",
        y1: 0,
        y2: "value",
        fill: "var(--good)",
        fillOpacity: 0.75,
        insetLeft: 0.75,
        insetRight: 0.75,
      }),
      lineY(steps, { x: "edge", y: "value", curve: "step-after", stroke: "var(--ink)", strokeWidth: 2 }),
      ruleX([cutoff], { stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "4 3", insetTop: -14 }),
    ],
  })
}
