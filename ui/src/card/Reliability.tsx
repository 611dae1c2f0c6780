import { dot, ruleX } from "@observablehq/plot"
import { hits, interval, score, share, type Bin } from "../data/card"
import { Chart } from "../components/Chart"
import { ScrollTable } from "../components/ScrollTable"
import { Figure } from "./Figure"
import { square } from "./square"

const CAPTION =
  "Answers are grouped by similar scores. A curve fitted to the other rows predicts how many are good; " +
  "the held-out rows show how many are. On the dashed line both agree."

/** Reliability diagram: predicted and observed share of good answers. */
export function Reliability({ bins }: { bins: Bin[] }) {
  return (
    <Figure title="Expected and observed (reliability)" caption={CAPTION} numbers={<Table bins={bins} />}>
      <p class="legend small">
        <span class="key key-observed">observed, with its 95% interval</span>
        <span class="key key-even">as expected</span>
      </p>
      <Chart data={bins} draw={draw} label={describeChart(bins)} />
    </Figure>
  )
}

function describeChart(bins: Bin[]): string {
  const each = bins.map((bin) => `expected ${share(bin.expected)}, observed ${share(bin.observed.value)}`)
  return `Reliability of ${bins.length} groups of scores: ${each.join("; ")}`
}

function draw(bins: Bin[], width: number): Element {
  return square("expected to be good", "observed to be good", width, [
    ruleX(bins, {
      x: "expected",
      y1: (bin: Bin) => bin.observed.low,
      y2: (bin: Bin) => bin.observed.high,
      stroke: "var(--good)",
      strokeWidth: 2,
    }),
    dot(bins, {
      x: "expected",
      y: (bin: Bin) => bin.observed.value,
      r: 5,
      fill: "var(--good)",
      stroke: "var(--ground)",
      title: (bin: Bin) =>
        `expected ${share(bin.expected)}, observed ${share(bin.observed.value)} (${hits(bin.observed)}; ${interval(bin.observed)})`,
    }),
  ])
}

function Table({ bins }: { bins: Bin[] }) {
  return (
    <ScrollTable label="Held-out answers by score">
      <thead>
        <tr>
          <th scope="col">score</th>
          <th scope="col" class="figure">
            expected to be good
          </th>
          <th scope="col" class="figure">
            observed to be good
          </th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin, at) => (
          <tr key={at}>
            <th scope="row">
              {score(bin.low)} to {score(bin.high)}
            </th>
            <td class="figure">{share(bin.expected)}</td>
            <td class="figure">
              {share(bin.observed.value)}{" "}
              <small>
                {hits(bin.observed)}; {interval(bin.observed)}
              </small>
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  )
}
