import type { Effect } from "../data/effects"
import { percent, whole } from "../data/words"
import { Tile } from "../pieces/Tile"

const NOBODY_SAID = "nothing is labelled"

/** The figures that are looked for first. */
export function Tiles({ overall: { before, after, ...rest } }: { overall: Effect }) {
  const labelled = before.relevant + before.irrelevant > 0
  return (
    <dl class="tiles">
      <Tile what="references kept" figure={share(after.references, before.references)}>
        {whole(after.references)} of {whole(before.references)}
      </Tile>
      <Tile what="relevant ones lost" figure={share(rest.relevant_lost, before.relevant)}>
        {labelled ? `${whole(rest.relevant_lost)} of ${whole(before.relevant)}` : NOBODY_SAID}
      </Tile>
      <Tile what="irrelevant ones removed" figure={share(rest.irrelevant_removed, before.irrelevant)}>
        {labelled ? `${whole(rest.irrelevant_removed)} of ${whole(before.irrelevant)}` : NOBODY_SAID}
      </Tile>
      <Tile what="queries with a relevant one" figure={of(after.relevant_coverage)}>
        {labelled ? `before: ${of(before.relevant_coverage)}` : NOBODY_SAID}
        {labelled && before.queries_labelled < before.queries && (
          <> (of {whole(before.queries_labelled)} labelled)</>
        )}
      </Tile>
      {before.unlabelled > 0 && (
        <Tile what="references not labelled" figure={share(before.unlabelled, before.references)}>
          {whole(before.unlabelled)} of {whole(before.references)}
        </Tile>
      )}
      <Tile what="queries with any reference left" figure={of(after.coverage)}>
        before: {of(before.coverage)}
      </Tile>
      <Tile what="characters" figure={share(after.chars, before.chars)}>
        {whole(after.chars)} of {whole(before.chars)}
      </Tile>
    </dl>
  )
}

function share(part: number, all: number): string {
  return all ? percent(part / all) : "–"
}

function of(held: number | null): string {
  return held === null ? "–" : percent(held)
}
