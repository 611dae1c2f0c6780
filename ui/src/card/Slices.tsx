import { hits, interval, share, type CardData, type Rate } from "../data/card"
import { ScrollTable } from "../components/ScrollTable"

/** The error rates of the threshold by slice. */
export function Slices({ card: { slices, rates } }: { card: CardData }) {
  return (
    <section class="card">
      <h2>Error rates by slice</h2>
      {slices.map(({ column, rows }) => (
        <ScrollTable key={column} label={`Rates by ${column}`}>
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
        </ScrollTable>
      ))}
      <p class="small below">
        Each rate with its counts and its 95% interval, which is wide for few answers.
      </p>
    </section>
  )
}

/** A rate with its counts and its interval. */
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
