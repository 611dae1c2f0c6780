import type { CardData } from "../data/card"
import { Scroll } from "../pieces/Scroll"
import { Ticked } from "../pieces/Ticked"
import { Cell } from "./Slices"

/** The thresholds for answers of so many claims, what is promised for them, and what they did. */
export function Claims({ card: { claims, rates } }: { card: CardData }) {
  const notes = [...new Set(claims.filter(({ promised }) => !promised).map(({ promise }) => promise))]
  return (
    <section class="card">
      <h2>By the number of claims</h2>
      <Scroll of="Rates by the number of claims">
        <thead>
          <tr>
            {["answers of", "pass with", "promised"].map((head) => (
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
      </Scroll>
      {notes.map((note) => (
        <p key={note} class="small below" dir="auto">
          <Ticked text={note} />
        </p>
      ))}
      <p class="small below">
        An answer of many claims has many ways to fail, so that a threshold for one number of claims says
        nothing about another.
      </p>
    </section>
  )
}
