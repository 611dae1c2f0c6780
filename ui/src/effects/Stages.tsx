import { axisX, axisY, barX, gridX, plot } from "@observablehq/plot"
import { KEPT, partsOf, type EffectsReport } from "../data/effects"
import { QUARTERS, tick } from "../data/ticks"
import { counted, whole } from "../data/words"
import { Picture } from "../pieces/Picture"

export const MOST_ITEMS = 40

/** What became of each item's references: kept, or dropped by which stage. */
export function Stages({ report }: { report: EffectsReport }) {
  const { overall, items } = report
  const kinds = [KEPT, ...new Set(report.stages)].filter(
    (what) => (what === KEPT ? overall.after.references : overall.dropped[what]) ?? 0,
  )
  return (
    <section class="card">
      <h2>What was kept, and which stage dropped the rest</h2>
      <p class="legend small">
        {kinds.map((what) => (
          <span key={what} class={`key ${tone(what, report.stages)}`}>
            {what === KEPT
              ? `kept (${whole(overall.after.references)})`
              : `dropped by ${what} (${whole(overall.dropped[what] ?? 0)})`}
          </span>
        ))}
      </p>
      <Picture of={report} draw={drawn} said={said(report)} class="picture" />
      {items.length > MOST_ITEMS && (
        <p class="small below">
          The first {MOST_ITEMS} of {counted(items.length, "item")} are drawn.
        </p>
      )}
    </section>
  )
}

function drawn({ items, stages }: EffectsReport, width: number): Element {
  const shown = items.slice(0, MOST_ITEMS)
  const room = Math.min(220, Math.floor(width * 0.36))
  const names = new Map(shown.map((one) => [String(one.position), cut(one.item, Math.floor(room / 7))]))
  const parts = shown.flatMap((one) =>
    one.before.references ? partsOf(one, stages, String(one.position)) : [],
  )
  const kinds = [KEPT, ...new Set(stages)]
  return plot({
    width,
    height: 56 + shown.length * 26,
    marginLeft: room,
    marginRight: 24,
    marginTop: 8,
    marginBottom: 44,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [0, 1] },
    y: { domain: [...names.keys()], padding: 0.25 },
    color: { domain: kinds, range: kinds.map((what) => `var(--${tone(what, stages)})`) },
    marks: [
      gridX({ stroke: "currentColor", strokeOpacity: 0.1, ticks: QUARTERS }),
      axisX({
        ticks: QUARTERS,
        tickSize: 0,
        tickFormat: tick,
        label: "share of the item's references",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      axisY({ tickSize: 0, label: null, tickFormat: (row: string) => names.get(row) ?? row }),
      barX(parts, { y: "row", x1: "from", x2: "to", fill: "what", insetLeft: 0.75, insetRight: 0.75, rx: 1 }),
    ],
  })
}

/** Which colour: that of the stage's place in the chain, again from the first when they have run out. */
function tone(what: string, stages: readonly string[]): string {
  return what === KEPT ? "guarded" : `stage-${[...new Set(stages)].indexOf(what) % 7}`
}

export function cut(name: string, most: number): string {
  const letters = [...name.replace(/\s+/g, " ")]
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`
}

function said({ overall, items }: EffectsReport): string {
  const gone = Object.entries(overall.dropped).map(([stage, count]) => `${whole(count)} dropped by ${stage}`)
  const kept = `${whole(overall.after.references)} of ${whole(overall.before.references)} references kept`
  return `Bars of ${counted(items.length, "item")}: ${[kept, ...gone].join(", ")}`
}
