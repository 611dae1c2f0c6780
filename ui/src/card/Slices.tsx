import { hits, interval, share, type CardData, type Rate } from "../data/card"
import { Scroll } from "../pieces/Scroll"

/** What the threshold does to answers of different kinds. */
export function Slices({ card: { slices, rates } }: { card: CardData }) {
  return (
    <section class="card">
      <h2>The same threshold by kind of answer</h2>
      {slices.map(({ column, rows }) => (
        <Scroll key={column} of={`Rates by ${column}`}>
          <thead>
            <tr>
              <th scope="col" dir="auto">
                {column}
              </th>
              {rates.map(({ kind, what }) => (
                <th key={kind} scope="col">
                  {what}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.value}>
                <th scope="row" dir="auto">
                  {row.value}
                </th>
                {row.rates.map(({ kind, rate }) => (
                  <td key={kind}>{rate ? <Cell rate={rate} /> : "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Scroll>
      ))}
      <p class="small below">
        Each rate with what it was counted on and its 95% interval; of few answers it is wide.
      </p>
    </section>
  )
}

/** A rate, and under it what it was counted on. */
export function Cell({ rate }: { rate: Rate }) {
  return (
    <>
      {share(rate.value)}
      <small>
        {hits(rate)}; {interval(rate)}
      </small>
    </>
  )
}
