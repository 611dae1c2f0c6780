import { areaY, dot, line, ruleX, ruleY } from "@observablehq/plot"
import { describePassing, share, samplePoints, type CardData, type Roc } from "../data/card"
import { Chart } from "../components/Chart"
import { ScrollTable } from "../components/ScrollTable"
import { Figure } from "./Figure"
import { square } from "./square"

interface Props {
  card: CardData
  roc: Roc
}

/** The ROC curve, with the point of this threshold. */
export function RocCurve({ card, roc }: Props) {
  return (
    <Figure title="ROC curve" caption={caption(roc)} numbers={<Table roc={roc} />}>
      <p class="legend small">
        <span class="key key-mark">passes</span>
        {roc.not_failed && <span class="key key-open">passes, or unsure</span>}
        {Object.keys(card.targets).length > 0 && <span class="key key-limit">promised limit</span>}
      </p>
      <Chart data={roc} draw={(of, width) => draw(of, card, width)} label={describeChart(roc)} />
    </Figure>
  )
}

function describeChart(roc: Roc): string {
  return `ROC curve with an area of ${roc.auc.toFixed(3)}; with this threshold ${describePassing(roc.passes)}`
}

export function caption(roc: Roc): string {
  const area = `A good answer scores better than a bad one in ${(100 * roc.auc).toFixed(1)}% of all pairs (AUC).`
  const some = roc.whole
    ? ""
    : " Drawn from a sample of a hundred scores of each label, which the card contains."
  return `With this threshold ${describePassing(roc.passes)}. ${area}${some}`
}

function draw(roc: Roc, { targets }: CardData, width: number): Element {
  const { false_accepts: accepts, false_rejects: rejects } = targets
  const curve = { x: "0", y: "1" }
  const limit = { stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "1.5 4" }
  return square("bad answers that pass", "good answers that pass", width, [
    areaY(roc.points, { x: "0", y1: 0, y2: "1", fill: "var(--good)", fillOpacity: 0.1 }),
    line(roc.points, { ...curve, stroke: "var(--good)", strokeWidth: 2.5, strokeLinejoin: "round" }),
    accepts === undefined ? null : ruleX([accepts], limit),
    rejects === undefined ? null : ruleY([1 - rejects], limit),
    roc.not_failed &&
      dot([roc.not_failed], {
        ...curve,
        r: 5,
        fill: "var(--ground)",
        stroke: "var(--ink)",
        strokeWidth: 1.5,
      }),
    dot([roc.passes], { ...curve, r: 6, fill: "var(--ink)", title: describePassing }),
  ])
}

function Table({ roc }: { roc: Roc }) {
  return (
    <ScrollTable label="Points of the ROC curve">
      <thead>
        <tr>
          <th scope="col">bad answers that pass</th>
          <th scope="col" class="figure">
            good answers that pass
          </th>
        </tr>
      </thead>
      <tbody>
        {samplePoints(roc.points).map(([bad, good], at) => (
          <tr key={at}>
            <th scope="row">{share(bad)}</th>
            <td class="figure">{share(good)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}
