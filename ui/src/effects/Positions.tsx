import { axisX, axisY, dot, gridY, plot, rectY, ruleY } from "@observablehq/plot"
import { chanceOf, type Claim, type EffectsReport, type Item } from "../data/effects"
import { QUARTERS, signed, tick } from "../data/ticks"
import { counted } from "../data/words"
import { Picture } from "../pieces/Picture"

/** How budgets were used along the prompt, and whether more fitted at one end of it. */
export function Positions({ report }: { report: EffectsReport }) {
  const budgets = Object.entries(report.overall.budgets)
  return (
    <section class="card">
      <h2>Whether more fitted for items that stand early in the prompt</h2>
      <p class="lead">{budgets.length ? concluded(report) : "No stage of this chain has a budget."}</p>
      {budgets.map(([stage, { unit }]) => (
        <figure key={stage}>
          <figcaption class="legend small">
            <span class="key stage-5">
              {unit} used, of what {stage} allows
            </span>
            <span class="key key-fits">share of references that fitted</span>
          </figcaption>
          <Picture
            of={{ items: report.items, stage }}
            draw={drawn}
            said={`Use of ${stage} by position of the item. ${concluded(report)}`}
            class="picture"
          />
        </figure>
      ))}
      {budgets.length > 0 && (
        <p class="small below">
          A reference fitted when no other stage had dropped it, and the budgets had room for it. A budget is
          each query&rsquo;s own and knows no position: a trend says that items at one end of the prompt have
          longer references, or more of them. p is the share of random orders of the items with a correlation
          at least as far from 0.
        </p>
      )}
    </section>
  )
}

interface Drawn {
  items: Item[]
  stage: string
}

function drawn({ items, stage }: Drawn, width: number): Element {
  const used = items.flatMap(({ position, budgets }) => {
    const budget = budgets[stage]
    return budget?.budget
      ? [{ from: position - 0.4, to: position + 0.4, share: budget.used / budget.budget }]
      : []
  })
  const fitted = items.filter((one) => one.kept_by_budget !== null)
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
      dot(fitted, {
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

/** The trend in a sentence; what may be concluded was decided where the figures were made. */
export function concluded({ position_trend: trend, overall }: EffectsReport): string {
  if (!trend)
    return overall.kept_by_budget === 1
      ? "Budgets dropped nothing."
      : "There is too little that differs to speak of a trend."
  const said: Record<Claim, string> = {
    below: "more fitted for early items than another order would easily bring",
    above: "more fitted for late items than another order would easily bring",
    chance: "this could be chance",
    few: `too few to conclude anything from: ${counted(trend.items, "item")}, wanted ${trend.fewest_items}`,
  }
  return (
    `Correlation of position with the share that fitted: ${signed(trend.correlation)} ` +
    `(${chanceOf(trend.p_value)}): ${said[trend.claim]}.`
  )
}
