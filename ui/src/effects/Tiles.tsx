import type { Effect } from "../data/effects"
import { percent, integer } from "../data/format"
import { Tile } from "../components/Tile"

const NO_LABELS = "nothing is labelled"

/** The key figures. */
export function Tiles({ overall: { before, after, ...rest } }: { overall: Effect }) {
  const labelled = before.relevant + before.irrelevant > 0
  return (
    <dl class="tiles">
      <Tile label="references kept" figure={share(after.references, before.references)}>
        {integer(after.references)} of {integer(before.references)}
      </Tile>
      <Tile label="relevant references lost" figure={share(rest.relevant_lost, before.relevant)}>
        {labelled ? `${integer(rest.relevant_lost)} of ${integer(before.relevant)}` : NO_LABELS}
      </Tile>
      <Tile label="irrelevant references removed" figure={share(rest.irrelevant_removed, before.irrelevant)}>
        {labelled ? `${integer(rest.irrelevant_removed)} of ${integer(before.irrelevant)}` : NO_LABELS}
      </Tile>
      <Tile label="queries with a relevant reference" figure={shareOrNone(after.relevant_coverage)}>
        {labelled ? `before: ${shareOrNone(before.relevant_coverage)}` : NO_LABELS}
        {labelled && before.queries_labelled < before.queries && (
          <> (of {integer(before.queries_labelled)} labelled)</>
        )}
      </Tile>
      {before.unlabelled > 0 && (
        <Tile label="references not labelled" figure={share(before.unlabelled, before.references)}>
          {integer(before.unlabelled)} of {integer(before.references)}
        </Tile>
      )}
      <Tile label="queries with any reference left" figure={shareOrNone(after.coverage)}>
        before: {shareOrNone(before.coverage)}
      </Tile>
      <Tile label="characters" figure={share(after.chars, before.chars)}>
        {integer(after.chars)} of {integer(before.chars)}
      </Tile>
    </dl>
  )
}

function share(part: number, all: number): string {
  return all ? percent(part / all) : "–"
}

function shareOrNone(value: number | null): string {
  return value === null ? "–" : percent(value)
}
