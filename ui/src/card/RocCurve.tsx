import { areaY, dot, line, ruleX, ruleY } from "@observablehq/plot"
import { passing, share, somePoints, type CardData, type Roc } from "../data/card"
import { Picture } from "../pieces/Picture"
import { Scroll } from "../pieces/Scroll"
import { Figure } from "./Figure"
import { square } from "./square"

interface Asked {
  card: CardData
  roc: Roc
}

/** What every other threshold would do, and where this one lies among them. */
export function RocCurve({ card, roc }: Asked) {
  return (
    <Figure title="Every other threshold (ROC)" caption={caption(roc)} numbers={<Table roc={roc} />}>
      <p class="legend small">
        <span class="key key-mark">passes</span>
        {roc.not_failed && <span class="key key-open">passes, or unsure</span>}
        {Object.keys(card.targets).length > 0 && <span class="key key-limit">promised limit</span>}
      </p>
      <Picture of={roc} draw={(of, width) => drawn(of, card, width)} said={said(roc)} class="picture" />
    </Figure>
  )
}

function said(roc: Roc): string {
  return `ROC curve with an area of ${roc.auc.toFixed(3)}; by this threshold ${passing(roc.passes)}`
}

export function caption(roc: Roc): string {
  const area = `A good answer scores better than a bad one in ${(100 * roc.auc).toFixed(1)}% of all pairs (AUC).`
  const some = roc.whole ? "" : " The card keeps a hundred scores of each label, from which this is drawn."
  return `By this threshold ${passing(roc.passes)}. ${area}${some}`
}

function drawn(roc: Roc, { targets }: CardData, width: number): Element {
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
    dot([roc.passes], { ...curve, r: 6, fill: "var(--ink)", title: passing }),
  ])
}

function Table({ roc }: { roc: Roc }) {
  return (
    <Scroll of="Points of the ROC curve">
      <thead>
        <tr>
          <th scope="col">bad answers that pass</th>
          <th scope="col" class="figure">
            good answers that pass
          </th>
        </tr>
      </thead>
      <tbody>
        {somePoints(roc.points).map(([bad, good], at) => (
          <tr key={at}>
            <th scope="row">{share(bad)}</th>
            <td class="figure">{share(good)}</td>
          </tr>
        ))}
      </tbody>
    </Scroll>
  )
}
