import type { Effect } from "../data/effects"
import { percent, whole } from "../data/words"

/** The figures that are looked for first. */
export function Tiles({ overall: { before, after, ...rest } }: { overall: Effect }) {
  const labelled = before.relevant + before.irrelevant > 0
  return (
    <dl class="tiles">
      <Tile what="references kept" figure={share(after.references, before.references)}>
        {whole(after.references)} of {whole(before.references)}
      </Tile>
      {labelled && (
        <>
          <Tile what="relevant ones lost" figure={share(rest.relevant_lost, before.relevant)}>
            {whole(rest.relevant_lost)} of {whole(before.relevant)}
          </Tile>
          <Tile what="irrelevant ones removed" figure={share(rest.irrelevant_removed, before.irrelevant)}>
            {whole(rest.irrelevant_removed)} of {whole(before.irrelevant)}
          </Tile>
          <Tile what="queries with a relevant one" figure={of(after.relevant_coverage)}>
            before: {of(before.relevant_coverage)}
          </Tile>
        </>
      )}
      <Tile what="queries with any" figure={of(after.coverage)}>
        before: {of(before.coverage)}
      </Tile>
      <Tile what="characters" figure={share(after.chars, before.chars)}>
        {whole(after.chars)} of {whole(before.chars)}
      </Tile>
    </dl>
  )
}

function Tile({
  what,
  figure,
  children,
}: {
  what: string
  figure: string
  children: preact.ComponentChildren
}) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        <b>{figure}</b>
        <span>{children}</span>
      </dd>
    </div>
  )
}

function share(part: number, all: number): string {
  return all ? percent(part / all) : "–"
}

function of(held: number | null): string {
  return held === null ? "–" : percent(held)
}
