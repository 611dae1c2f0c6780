import type { CardData } from "../data/card"
import { ScrollTable } from "../components/ScrollTable"
import { CodeText } from "../components/CodeText"
import { Cell } from "./Slices"

/** The thresholds by number of claims, with their promises and error rates. */
export function Claims({ card: { claims, rates } }: { card: CardData }) {
  const notes = [...new Set(claims.filter(({ promised }) => !promised).map(({ promise }) => promise))]
  return (
    <section class="card">
      <h2>By the number of claims</h2>
      <ScrollTable label="Rates by the number of claims">
        <thead>
          <tr>
            {["claims", "pass with", "promised"].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {rates.map(({ kind, what }) => (
              <th key={kind} scope="col">
                {what}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {claims.map((one) => (
            <tr key={one.claims}>
              <th scope="row">{one.claims}</th>
              <td>{one.passes}</td>
              <td>
                {one.promised === null ? "no" : one.promised === one.claims ? "yes" : `for ${one.promised}`}
              </td>
              {one.rates.map(({ kind, rate }) => (
                <td key={kind}>{rate ? <Cell rate={rate} /> : "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {notes.map((note) => (
        <p key={note} class="small below" dir="auto">
          <CodeText text={note} />
        </p>
      ))}
      <p class="small below">
        An answer with many claims has more ways to fail, so the rates of a threshold for one number of claims
        do not apply to another.
      </p>
    </section>
  )
}
