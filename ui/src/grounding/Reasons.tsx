import type { GroundingData } from "../data/grounding"
import { Scroll } from "../pieces/Scroll"
import { Ticked } from "../pieces/Ticked"
import { PlaceLink } from "./Passages"

/** Everything that does not fit, in one table. */
export function Reasons({ found }: { found: GroundingData }) {
  const rows = found.claims.flatMap(({ notes }, claim) => notes.map((note) => ({ claim, note })))
  if (!rows.length) return null
  return (
    <section class="card reasons">
      <h2>Reasons</h2>
      <Scroll of="Reasons">
        <thead>
          <tr>
            <th scope="col">claim</th>
            <th scope="col">words</th>
            <th scope="col">reason</th>
            <th scope="col">what was found</th>
            <th scope="col">where</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ claim, note }, at) => (
            <tr key={at}>
              <th scope="row">
                <a href={`#e${claim + 1}`}>{claim + 1}</a>
              </th>
              <td dir="auto">{note.words.join(", ") || "the whole claim"}</td>
              <td>{note.kind.replaceAll("_", " ")}</td>
              <td dir="auto">
                <Ticked text={note.says} />
              </td>
              <td>{note.source ? <PlaceLink found={found} place={note.source} /> : "–"}</td>
            </tr>
          ))}
        </tbody>
      </Scroll>
    </section>
  )
}
