import { useMemo, useState } from "preact/hooks"
import { distributions, countAndMedian, type Distribution } from "../data/histogram"
import type { Index } from "../data/run"
import { plural, decimals } from "../data/format"
import { Histogram } from "../components/Histogram"

const INITIAL_COUNT = 6

/** The score distribution of every measure, over the listed tests. */
export function Scores({ index, rows }: { index: Index; rows: readonly number[] }) {
  const all = useMemo(() => distributions(index, rows), [index, rows])
  const [more, setMore] = useState(false)
  if (!all.length)
    return <p class="empty">No listed test has a score between 0 and 1 that is compared with a cutoff.</p>
  return (
    <>
      {all.slice(0, more ? all.length : INITIAL_COUNT).map((distribution) => (
        <Figure key={distribution.measure} distribution={distribution} />
      ))}
      {!more && all.length > INITIAL_COUNT && (
        <button type="button" onClick={() => setMore(true)}>
          Show {all.length - INITIAL_COUNT} more
        </button>
      )}
    </>
  )
}

function Figure({ distribution }: { distribution: Distribution }) {
  const { count, median } = countAndMedian(distribution)
  const [only] = distribution.cutoffs
  const cutoffText =
    distribution.cutoffs.length === 1 && only
      ? `cutoff: ${only.words}`
      : `${distribution.cutoffs.length} different cutoffs`
  return (
    <figure class="card">
      <figcaption>
        <h3>{distribution.measure}</h3>
        <p class="small">
          {plural(count, "score")}, median {decimals(median)}; {cutoffText}
        </p>
      </figcaption>
      <Histogram distribution={distribution} />
    </figure>
  )
}
