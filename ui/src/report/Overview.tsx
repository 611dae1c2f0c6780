import { useMemo } from "preact/hooks"
import { assertionName } from "../data/address"
import { countsOf, sums, type Sum } from "../data/assertions"
import type { Index } from "../data/run"
import { counted, decimals, percent, plainly, whole } from "../data/words"
import { TallyBar } from "../pieces/TallyBar"

interface Asked {
  index: Index
  rows: readonly number[]
  onSource: (source: number) => void
  onAssertion: (assertion: number) => void
}

/** What was run, and how sources and assertions came out over the tests that are listed. */
export function Overview({ index, rows, onSource, onAssertion }: Asked) {
  const asserted = useMemo(() => sums(index, rows), [index, rows])
  const bySource = useMemo(() => sources(index, rows), [index, rows])
  const missing = index.cells - index.results
  return (
    <>
      {missing > 0 && (
        <p class="card warning" role="note">
          The run was interrupted: {whole(index.results)} of its {whole(index.cells)} results are there.
        </p>
      )}
      {bySource.length > 1 && (
        <Table
          title="Sources"
          first="source"
          sums={bySource}
          name={(at) => index.sources[at]!}
          onChoose={onSource}
          share
        />
      )}
      {asserted.length > 0 && (
        <Table
          title="Assertions"
          first="assertion"
          sums={asserted}
          name={(at) => assertionName(index, at)}
          onChoose={onAssertion}
        />
      )}
      <Facts index={index} />
    </>
  )
}

function sources(index: Index, rows: readonly number[]): Sum[] {
  return index.sources
    .map((_, at) => {
      const own = rows.filter((row) => index.rows.source[row] === at)
      return { at, counts: countsOf(index, own), total: own.length, mean: null }
    })
    .filter(({ total }) => total > 0)
}

interface TableAsked {
  title: string
  first: string
  sums: Sum[]
  name: (at: number) => string
  onChoose: (at: number) => void
  share?: boolean
}

function Table({ title, first, sums, name, onChoose, share }: TableAsked) {
  return (
    <section class="card">
      <h3>{title}</h3>
      <div class="scroll">
        <table class="sums">
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
            {sums.map((sum) => (
              <tr key={sum.at}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onChoose(sum.at)}>
                    {name(sum.at)}
                  </button>
                </th>
                <td class="wide">
                  <TallyBar counts={sum.counts} />
                </td>
                {(["pass", "fail", "unsure", "error"] as const).map((outcome) => (
                  <td key={outcome} class={`figure ${sum.counts[outcome] ? "" : "none"}`}>
                    {whole(sum.counts[outcome])}
                  </td>
                ))}
                <td class="figure">
                  {share
                    ? percent(sum.counts.pass / sum.total)
                    : sum.mean === null
                      ? "–"
                      : decimals(sum.mean)}
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
  const calibrated = index.lines.filter((line) => line.calibrated).length
  const facts: [string, string][] = [
    ["Battery", index.battery],
    ["Tests", `${whole(index.tests)}, asked ${counted(index.results, "time")} in all`],
    ["Encoder", [index.encoder, ...index.encoders.filter((name) => name !== index.encoder)].join(" · ")],
    ["Lines", lines(index.lines.length, calibrated)],
    ["Sources", index.sources.join(", ")],
    ["Prompts", index.wordings.filter(Boolean).join(", ")],
    [
      "Chosen by",
      Object.entries(index.chosen)
        .map(([key, value]) => `${key}: ${plainly(value)}`)
        .join(", "),
    ],
    ["Judged by", `sensecheck ${index.version}`],
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

function lines(all: number, calibrated: number): string {
  if (!all) return "no reading was held against a line"
  if (calibrated === all) return `all ${all} calibrated`
  return `${calibrated} of ${all} calibrated; the others were picked by hand and promise nothing`
}
