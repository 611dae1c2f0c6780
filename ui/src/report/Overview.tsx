import { useMemo } from "preact/hooks"
import { assertionName } from "../data/viewState"
import { countOutcomes, summarizeAssertions, type OutcomeSummary } from "../data/assertions"
import type { Index } from "../data/run"
import { plural, decimals, percent, toText, integer } from "../data/format"
import { OutcomeBar } from "../components/OutcomeBar"

interface Props {
  index: Index
  rows: readonly number[]
  onSource: (source: number) => void
  onAssertion: (assertion: number) => void
}

/** The results by source and by assertion over the listed tests, and facts about the run. */
export function Overview({ index, rows, onSource, onAssertion }: Props) {
  const byAssertion = useMemo(() => summarizeAssertions(index, rows), [index, rows])
  const bySource = useMemo(() => summarizeSources(index, rows), [index, rows])
  const missing = index.cells - index.results
  return (
    <>
      {missing > 0 && (
        <p class="card warning" role="note">
          The run is incomplete: {integer(index.results)} of {integer(index.cells)} results.
        </p>
      )}
      {bySource.length > 1 && (
        <Table
          title="Sources"
          first="source"
          summaries={bySource}
          name={(at) => index.sources[at]!}
          onChoose={onSource}
          share
        />
      )}
      {byAssertion.length > 0 && (
        <Table
          title="Assertions"
          first="assertion"
          summaries={byAssertion}
          name={(at) => assertionName(index, at)}
          onChoose={onAssertion}
        />
      )}
      <Facts index={index} />
    </>
  )
}

function summarizeSources(index: Index, rows: readonly number[]): OutcomeSummary[] {
  return index.sources
    .map((_, at) => {
      const own = rows.filter((row) => index.rows.source[row] === at)
      return { at, counts: countOutcomes(index, own), total: own.length, mean: null }
    })
    .filter(({ total }) => total > 0)
}

interface TableProps {
  title: string
  first: string
  summaries: OutcomeSummary[]
  name: (at: number) => string
  onChoose: (at: number) => void
  share?: boolean
}

function Table({ title, first, summaries, name, onChoose, share }: TableProps) {
  return (
    <section class="card">
      <h3>{title}</h3>
      <div class="scroll">
        <table class="outcome-table">
          <thead>
            <tr>
              <th scope="col">{first}</th>
              <th scope="col" class="wide">
                outcomes
              </th>
              <th scope="col" class="figure">
                pass
              </th>
              <th scope="col" class="figure">
                fail
              </th>
              <th scope="col" class="figure">
                unsure
              </th>
              <th scope="col" class="figure">
                error
              </th>
              <th scope="col" class="figure">
                {share ? "pass rate" : "mean score"}
              </th>
            </tr>
          </thead>
          <tbody>
            {summaries.map((summary) => (
              <tr key={summary.at}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onChoose(summary.at)}>
                    {name(summary.at)}
                  </button>
                </th>
                <td class="wide">
                  <OutcomeBar counts={summary.counts} />
                </td>
                {(["pass", "fail", "unsure", "error"] as const).map((outcome) => (
                  <td key={outcome} class={`figure ${summary.counts[outcome] ? "" : "none"}`}>
                    {integer(summary.counts[outcome])}
                  </td>
                ))}
                <td class="figure">
                  {share
                    ? percent(summary.counts.pass / summary.total)
                    : summary.mean === null
                      ? "–"
                      : decimals(summary.mean)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Facts({ index }: { index: Index }) {
  const calibrated = index.lines.filter((cutoff) => cutoff.calibrated).length
  const facts: [string, string][] = [
    ["Battery", index.battery],
    ["Tests", `${integer(index.tests)}, ${plural(index.results, "result")}`],
    ["Encoder", [index.encoder, ...index.encoders.filter((name) => name !== index.encoder)].join(" · ")],
    ["Cutoffs", describeCutoffs(index.lines.length, calibrated)],
    ["Sources", index.sources.join(", ")],
    ["Prompts", index.wordings.filter(Boolean).join(", ")],
    [
      "Selection",
      Object.entries(index.chosen)
        .map(([key, value]) => `${key}: ${toText(value)}`)
        .join(", "),
    ],
    ["Version", `sensecheck ${index.version}`],
    ["Digest", index.digest],
  ]
  return (
    <section class="card">
      <h3>This run</h3>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function describeCutoffs(total: number, calibrated: number): string {
  if (!total) return "none"
  if (calibrated === total) return `all ${total} calibrated`
  return `${calibrated} of ${total} calibrated; the others promise nothing`
}
