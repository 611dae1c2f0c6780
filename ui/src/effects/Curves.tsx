import { axisX, axisY, gridX, gridY, line, plot, ruleX, ruleY } from "@observablehq/plot"
import { chanceOf, stepsOf, type Claim, type Curve, type Paired, type Scored } from "../data/effects"
import { QUARTERS, signed, tick } from "../data/ticks"
import { counted, decimals, percent, whole } from "../data/words"
import { Picture } from "../pieces/Picture"

/** Risk over coverage without guards and with them, and the difference with its interval. */
export function Curves({ scored }: { scored: Scored }) {
  const { bare, guarded, paired } = scored
  return (
    <section class="card">
      <h2>How wrong the answers are, when only the surest are accepted</h2>
      <p class="lead">{concluded(paired)}</p>
      <p class="legend small">
        <span class="key key-guarded">with guards</span>
        <span class="key key-bare">without</span>
        <span class="key key-shared">coverage that both reach</span>
      </p>
      <Picture of={scored} draw={drawn} said={said(scored)} class="picture" />
      <div class="scroll" tabIndex={0} role="region" aria-label="Areas under the curves">
        <table>
          <thead>
            <tr>
              <th>arm</th>
              <th class="figure">AURC</th>
              <th class="figure">up to {percent(paired.shared_coverage)}</th>
              <th class="figure">best possible</th>
              <th class="figure">by chance</th>
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
        AURC is the area under the curve: lower is better. Arms are compared up to the coverage that both
        reach, since an arm that abstains more has a shorter curve. The interval is the bootstrap&rsquo;s over{" "}
        {counted(paired.groups, "group")} of {counted(paired.outputs, "output")}: {whole(paired.resamples)}{" "}
        resamples, seed {paired.seed}; of few groups it is too narrow. p is how often a difference at least as
        large comes of swapping the arms of groups at random. Something is concluded where both agree and
        there are at least {paired.fewest_groups} groups.
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
        {whole(curve.abstained)} of {whole(curve.outputs)}
      </td>
    </tr>
  )
}

function drawn({ bare, guarded, paired }: Scored, width: number): Element {
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
      line(stepsOf(bare), { ...step, stroke: "var(--bare)", strokeDasharray: "7 4" }),
      line(stepsOf(guarded), { ...step, stroke: "var(--guarded)" }),
    ],
  })
}

/** The finding in plain words, then its figures; what may be concluded was decided where the figures were made. */
export function concluded(paired: Paired): string {
  const { difference, interval, groups, fewest_groups } = paired
  const range = interval
    ? `${tick(paired.confidence)} interval ${signed(interval.low)} to ${signed(interval.high)}`
    : "no interval"
  const said: Record<Claim, string> = {
    below: "Answers are better with guards, by more than chance easily brings",
    above: "Answers are worse with guards, by more than chance easily brings",
    chance: "Nothing can be concluded: the difference could be chance",
    few: `Nothing can be concluded: too few, ${counted(groups, "group")}, wanted ${fewest_groups}`,
  }
  const told = `AURC, of which lower is better, is ${signed(difference)} with guards`
  return `${said[paired.claim]}. ${told} (${range}, ${chanceOf(paired.p_value)}).`
}

function said({ bare, guarded, paired }: Scored): string {
  const arm = ({ aurc, highest_coverage }: Curve) =>
    `an area of ${decimals(aurc)} up to a coverage of ${percent(highest_coverage)}`
  return `Risk over coverage. Without guards ${arm(bare)}; with guards ${arm(guarded)}. ${concluded(paired)}`
}
