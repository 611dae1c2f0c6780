import { axisX, axisY, gridY, plot, rect, ruleX, ruleY, text } from "@observablehq/plot"
import { scaleOf, score, share, type CardData, type Distribution } from "../data/card"
import { Chart, chartHeight } from "../components/Chart"
import { ScrollTable } from "../components/ScrollTable"
import { Figure, STYLE } from "./Figure"

interface Props {
  card: CardData
  distribution: Distribution
}

/** The score distributions of good and bad answers, with the threshold. */
export function Scores({ card, distribution }: Props) {
  const { held_out, unsure } = card
  const band = unsure ? "; scores in the grey band are unsure" : ""
  return (
    <Figure
      title="Scores of the held-out answers"
      caption={`Good answers are above the axis, bad ones below, each as a share of its label. Scores on the arrow’s side of the threshold pass${band}.`}
      numbers={<Table distribution={distribution} />}
    >
      <p class="legend small">
        <span class="key key-good">good ({held_out.good})</span>
        <span class="key key-bad">bad ({held_out.bad})</span>
        {unsure && <span class="key key-unsure">unsure</span>}
        <span class="key key-threshold">threshold</span>
      </p>
      <Chart data={card} draw={(of, width) => draw(of, distribution, width)} label={describeChart(card)} />
    </Figure>
  )
}

function describeChart({ passes, held_out, measure }: CardData): string {
  return `Histogram of the scores of ${held_out.good} good and ${held_out.bad} bad answers by ${measure}; passes: ${passes}`
}

/** `passes from 0.52 →`. */
export function thresholdLabel({ good, threshold }: CardData): string {
  const cutoff = String(Number(threshold.toPrecision(15)))
  return good === "above" ? `passes from ${cutoff} →` : `← passes up to ${cutoff}`
}

/** Scores are scaled to 0 to 1, since their range may be larger than any number. */
function draw(card: CardData, { edges, good, bad }: Distribution, width: number): Element {
  const { place, ticks } = scaleOf(edges[0]!, edges.at(-1)!)
  const tallest = Math.max(...good, ...bad) * 1.04
  const bins = (shares: number[], label: "good" | "bad") =>
    shares.flatMap((value, at) => {
      const [from, to] = [edges[at]!, edges[at + 1]!]
      const about = `${share(value)} of the ${label} answers, from ${score(from)} to ${score(to)}`
      const end = label === "good" ? value : -value
      return value > 0 ? [{ from: place(from), to: place(to), end, label, about }] : []
    })
  const numbers = new Map(ticks(width > 480 ? 9 : 5).map((value) => [place(value), score(value)]))
  const at = place(card.threshold)
  const words = thresholdLabel(card)
  const labelWidth = (7.5 * words.length) / (width - 76)
  const after = card.good === "above" ? at + labelWidth < 1 : at - labelWidth < 0
  return plot({
    width,
    height: chartHeight(width, 300, 380, 0.45),
    marginLeft: 62,
    marginRight: 14,
    marginTop: 34,
    marginBottom: 44,
    style: STYLE,
    x: { domain: [0, 1] },
    y: { domain: [-tallest, tallest] },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.12, ticks: 6 }),
      axisY({
        ticks: 6,
        tickSize: 0,
        tickFormat: (value: number) => share(Math.abs(value)),
        label: "share of each label",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 56,
      }),
      axisX([...numbers.keys()], {
        tickSize: 0,
        tickFormat: (value: number) => numbers.get(value) ?? "",
        label: `score by ${card.measure}`,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      card.unsure &&
        rect([card.unsure], {
          x1: ([low]) => place(low),
          x2: ([, high]) => place(high),
          y1: -tallest,
          y2: tallest,
          fill: "var(--band)",
          title: () => "unsure",
        }),
      rect([...bins(good, "good"), ...bins(bad, "bad")], {
        x1: "from",
        x2: "to",
        y1: 0,
        y2: "end",
        fill: (bin: { label: string }) => `var(--${bin.label})`,
        insetLeft: 0.75,
        insetRight: 0.75,
        title: "about",
      }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.6 }),
      ruleX([at], { stroke: "var(--ink)", strokeWidth: 2, insetTop: -22 }),
      text([at], {
        x: (value: number) => value,
        frameAnchor: "top",
        dy: -16,
        dx: after ? 7 : -7,
        textAnchor: after ? "start" : "end",
        text: () => words,
        fill: "var(--ink)",
        fontWeight: 600,
      }),
    ],
  })
}

function Table({ distribution: { edges, good, bad } }: { distribution: Distribution }) {
  return (
    <ScrollTable label="Share of each label by score">
      <thead>
        <tr>
          <th scope="col">score</th>
          <th scope="col" class="figure">
            good answers
          </th>
          <th scope="col" class="figure">
            bad answers
          </th>
        </tr>
      </thead>
      <tbody>
        {good.map((value, at) =>
          value > 0 || bad[at]! > 0 ? (
            <tr key={at}>
              <th scope="row">
                {score(edges[at]!)} to {score(edges[at + 1]!)}
              </th>
              <td class="figure">{share(value)}</td>
              <td class="figure">{share(bad[at]!)}</td>
            </tr>
          ) : null,
        )}
      </tbody>
    </ScrollTable>
  )
}
