import { axisX, axisY, gridX, gridY, line, plot, ruleX, ruleY } from "@observablehq/plot"
import {
  formatPValue,
  curveSteps,
  type Conclusion,
  type Curve,
  type Paired,
  type Scored,
} from "../data/effects"
import { QUARTERS, signed, tick } from "../data/ticks"
import { plural, decimals, percent, integer } from "../data/format"
import { Chart } from "../components/Chart"

/** Risk-coverage curves without and with guards, and their difference with its interval. */
export function Curves({ scored }: { scored: Scored }) {
  const { bare, guarded, paired } = scored
  return (
    <section class="card">
      <h2>Risk and coverage of the answers</h2>
      <p class="lead">{conclusion(paired)}</p>
      <p class="legend small">
        <span class="key key-guarded">with guards</span>
        <span class="key key-bare">without</span>
        <span class="key key-shared">shared coverage</span>
      </p>
      <Chart data={scored} draw={draw} label={describeChart(scored)} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Areas under the curves">
        <table>
          <thead>
            <tr>
              <th>answers</th>
              <th class="figure">AURC</th>
              <th class="figure">up to {percent(paired.shared_coverage)}</th>
              <th class="figure">best possible</th>
              <th class="figure">random order</th>
              <th class="figure">highest coverage</th>
              <th class="figure">abstained</th>
            </tr>
          </thead>
          <tbody>
            <Row name="without guards" curve={bare} shared={paired.bare} />
            <Row name="with guards" curve={guarded} shared={paired.guarded} />
          </tbody>
        </table>
      </div>
      <p class="small below">
        AURC is the area under the curve: lower is better. The curves are compared up to the coverage that
        both reach, since answers that abstain more have a shorter curve. The interval is a bootstrap interval
        over {plural(paired.groups, "group")} of {plural(paired.outputs, "output")}:{" "}
        {integer(paired.resamples)} resamples, seed {paired.seed}; with few groups it is too narrow. p comes
        from a paired permutation test over groups. A difference counts as significant if both agree and there
        are at least {paired.fewest_groups} groups.
      </p>
    </section>
  )
}

function Row({ name, curve, shared }: { name: string; curve: Curve; shared: number }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="figure">{decimals(curve.aurc)}</td>
      <td class="figure">{decimals(shared)}</td>
      <td class="figure">{decimals(curve.best)}</td>
      <td class="figure">{decimals(curve.by_chance)}</td>
      <td class="figure">{percent(curve.highest_coverage)}</td>
      <td class="figure">
        {integer(curve.abstained)} of {integer(curve.outputs)}
      </td>
    </tr>
  )
}

function draw({ bare, guarded, paired }: Scored, width: number): Element {
  const risks = [...bare.points, ...guarded.points].map(([, risk]) => risk)
  const step = { x: "0", y: "1", curve: "step-before", strokeWidth: 2.25, strokeLinejoin: "round" } as const
  return plot({
    width,
    height: Math.min(380, Math.max(260, width * 0.55)),
    marginLeft: 50,
    marginBottom: 46,
    marginTop: 28,
    style: { background: "none", color: "inherit", fontSize: "12px", fontFamily: "inherit" },
    x: { domain: [0, 1] },
    y: { domain: [0, Math.max(...risks, 0) || 1], nice: true },
    marks: [
      gridY({ stroke: "currentColor", strokeOpacity: 0.1 }),
      gridX({ stroke: "currentColor", strokeOpacity: 0.1, ticks: QUARTERS }),
      axisX({
        ticks: QUARTERS,
        tickSize: 0,
        tickFormat: tick,
        label: "coverage: share of all that is accepted",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 40,
      }),
      axisY({ ticks: 5, tickSize: 0, label: "risk: mean loss of the accepted", labelArrow: "none" }),
      ruleY([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      ruleX([paired.shared_coverage], { stroke: "var(--soft)", strokeDasharray: "2 4", strokeWidth: 1.5 }),
      line(curveSteps(bare), { ...step, stroke: "var(--bare)", strokeDasharray: "7 4" }),
      line(curveSteps(guarded), { ...step, stroke: "var(--guarded)" }),
    ],
  })
}

/** The conclusion in a sentence, with its figures; the report contains the decision. */
export function conclusion(paired: Paired): string {
  const { difference, interval, groups, fewest_groups } = paired
  const range = interval
    ? `${tick(paired.confidence)} interval ${signed(interval.low)} to ${signed(interval.high)}`
    : "no interval"
  const sentences: Record<Conclusion, string> = {
    below: "Answers are significantly better with guards",
    above: "Answers are significantly worse with guards",
    chance: "Nothing can be concluded: the difference is not significant",
    few: `Nothing can be concluded: ${plural(groups, "group")}, at least ${fewest_groups} required`,
  }
  const change = `AURC (lower is better) changes by ${signed(difference)} with guards`
  return `${sentences[paired.claim]}. ${change} (${range}, ${formatPValue(paired.p_value)}).`
}

function describeChart({ bare, guarded, paired }: Scored): string {
  const arm = ({ aurc, highest_coverage }: Curve) =>
    `an area of ${decimals(aurc)} up to a coverage of ${percent(highest_coverage)}`
  return `Risk over coverage. Without guards ${arm(bare)}; with guards ${arm(guarded)}. ${conclusion(paired)}`
}
