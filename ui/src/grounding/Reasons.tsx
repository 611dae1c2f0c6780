import type { GroundingData } from "../data/grounding"
import { ScrollTable } from "../components/ScrollTable"
import { CodeText } from "../components/CodeText"
import { PlaceLink } from "./Passages"

/** The notes on all claims in a table. */
export function Reasons({ grounding }: { grounding: GroundingData }) {
  const rows = grounding.claims.flatMap(({ notes }, claim) => notes.map((note) => ({ claim, note })))
  if (!rows.length) return null
  return (
    <section class="card reasons">
      <h2>Reasons</h2>
      <ScrollTable label="Reasons">
        <thead>
          <tr>
            <th scope="col">claim</th>
            <th scope="col">words</th>
            <th scope="col">kind</th>
            <th scope="col">explanation</th>
            <th scope="col">source</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ claim, note }, at) => (
            <tr key={at}>
              <th scope="row">
                <a href={`#e${claim + 1}`}>{claim + 1}</a>
              </th>
              <td dir="auto">{note.words.join(", ") || "complete claim"}</td>
              <td>{note.kind.replaceAll("_", " ")}</td>
              <td dir="auto">
                <CodeText text={note.says} />
              </td>
              <td>{note.source ? <PlaceLink grounding={grounding} place={note.source} /> : "–"}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  )
}
