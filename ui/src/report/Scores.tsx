import { useMemo, useState } from "preact/hooks"
import { spreads, middleOf, type Spread } from "../data/histogram"
import type { Index } from "../data/run"
import { counted, decimals } from "../data/words"
import { Histogram } from "../pieces/Histogram"

const AT_FIRST = 6

/** What every measure read, over the tests that are listed. */
export function Scores({ index, rows }: { index: Index; rows: readonly number[] }) {
  const all = useMemo(() => spreads(index, rows), [index, rows])
  const [more, setMore] = useState(false)
  if (!all.length)
    return (
      <p class="empty">None of the tests listed has a reading between 0 and 1 that is held against a line.</p>
    )
  return (
    <>
      {all.slice(0, more ? all.length : AT_FIRST).map((spread) => (
        <Figure key={spread.measure} spread={spread} />
      ))}
      {!more && all.length > AT_FIRST && (
        <button type="button" onClick={() => setMore(true)}>
          Show {all.length - AT_FIRST} more
        </button>
      )}
    </>
  )
}

function Figure({ spread }: { spread: Spread }) {
  const { count, median } = middleOf(spread)
  const [only] = spread.lines
  const wanted =
    spread.lines.length === 1 && only ? `wanted ${only.words}` : `${spread.lines.length} different lines`
  return (
    <figure class="card">
      <figcaption>
        <h3>{spread.measure}</h3>
        <p class="small">
          {counted(count, "reading")}, median {decimals(median)}; {wanted}
        </p>
      </figcaption>
      <Histogram spread={spread} />
    </figure>
  )
}
