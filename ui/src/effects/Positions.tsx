import { axisX, axisY, dot, gridY, plot, rectY, ruleY } from "@observablehq/plot"
import { formatPValue, type Conclusion, type EffectsReport, type Item } from "../data/effects"
import { QUARTERS, signed, tick } from "../data/ticks"
import { plural } from "../data/format"
import { Chart } from "../components/Chart"

/** The use of budgets by position in the prompt, and its trend. */
export function Positions({ report }: { report: EffectsReport }) {
  const budgets = Object.entries(report.overall.budgets)
  return (
    <section class="card">
      <h2>Budgets by position in the prompt</h2>
      <p class="lead">{budgets.length ? conclusion(report) : "No stage of this chain has a budget."}</p>
      {budgets.map(([stage, { unit }]) => (
        <figure key={stage}>
          <figcaption class="legend small">
            <span class="key stage-5">
              {unit} used, as a share of the budget of {stage}
            </span>
            <span class="key key-fits">share of references that fit</span>
          </figcaption>
          <Chart
            data={{ items: report.items, stage }}
            draw={draw}
            label={`Use of ${stage} by position of the item. ${conclusion(report)}`}
          />
        </figure>
      ))}
      {budgets.length > 0 && (
        <p class="small below">
          A reference fits if no other stage dropped it and the budgets had room for it. Each query has its
          own budget, whatever its position: a trend means that items at one end of the prompt have longer
          references, or more of them. p is the share of random orders of the items with a correlation at
          least as far from 0.
        </p>
      )}
    </section>
  )
}

interface ChartData {
  items: Item[]
  stage: string
}

function draw({ items, stage }: ChartData, width: number): Element {
  const used = items.flatMap(({ position, budgets }) => {
    const budget = budgets[stage]
    return budget?.budget
      ? [{ from: position - 0.4, to: position + 0.4, share: budget.used / budget.budget }]
      : []
  })
  const fitting = items.filter((one) => one.kept_by_budget !== null)
  return plot({
    width,
    height: 250,
    marginLeft: 48,
    marginBottom: 44,
    marginTop: 26,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [0.5, items.length + 0.5] },
    y: { domain: [0, 1] },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1, ticks: QUARTERS }),
      axisY({ ticks: QUARTERS, tickSize: 0, tickFormat: tick, label: "share", labelArrow: "none" }),
      axisX({
        ticks: Math.min(items.length, Math.floor(width / 50)),
        tickSize: 0,
        tickFormat: (at: number) => (Number.isInteger(at) ? String(at) : ""),
        label: "position of the item in the prompt",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      rectY(used, { x1: "from", x2: "to", y1: 0, y2: "share", fill: "var(--stage-5)", rx: 1 }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      dot(fitting, {
        x: "position",
        y: "kept_by_budget",
        r: items.length > 60 ? 2.5 : 4.5,
        fill: "var(--ink)",
        stroke: "var(--ground)",
        strokeWidth: 1.5,
      }),
    ],
  })
}

/** The trend in a sentence; the report contains the decision. */
export function conclusion({ position_trend: trend, overall }: EffectsReport): string {
  if (!trend)
    return overall.kept_by_budget === 1 ? "Budgets dropped nothing." : "Too little variation for a trend."
  const sentences: Record<Conclusion, string> = {
    below: "significantly more fits for early items",
    above: "significantly more fits for late items",
    chance: "not significant",
    few: `inconclusive: ${plural(trend.items, "item")}, at least ${trend.fewest_items} required`,
  }
  return (
    `Correlation of position with the share that fits: ${signed(trend.correlation)} ` +
    `(${formatPValue(trend.p_value)}): ${sentences[trend.claim]}.`
  )
}
