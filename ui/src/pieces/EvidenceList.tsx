import type { Numbered } from "../data/evidence"
import { along } from "../data/scale"
import { decimals } from "../data/words"
import { Ticked } from "./Ticked"

const AT_FIRST = 6

interface Asked {
  evidence: Numbered[]
  answer: string
  /** What the answer is held against, which is shown as a whole elsewhere. */
  wanted?: string | undefined
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** What moved a reading: the words of the answer beside those they were held against. */
export function EvidenceList({ evidence, ...rest }: Asked) {
  const item = (one: Numbered) => <Item key={one.id} one={one} {...rest} />
  if (evidence.length <= AT_FIRST) return <ul class="evidence">{evidence.map(item)}</ul>
  return (
    <>
      <ul class="evidence">{evidence.slice(0, AT_FIRST).map(item)}</ul>
      <details>
        <summary>{evidence.length - AT_FIRST} more</summary>
        <ul class="evidence">{evidence.slice(AT_FIRST).map(item)}</ul>
      </details>
    </>
  )
}

function Item({ one, answer, wanted, pointed, onPoint }: Omit<Asked, "evidence"> & { one: Numbered }) {
  const { evidence, tone, id } = one
  const mine = evidence.at ? answer.slice(...evidence.at) : evidence.said
  const tells = mine !== undefined && mine !== answer && !quoted(evidence.note, mine)
  const against = evidence.source
  const compares = against && against.text !== wanted && !quoted(evidence.note, against.text)
  return (
    <li
      class={`tone-${tone} ${pointed === id ? "lit" : ""}`}
      onPointerEnter={() => onPoint(id)}
      onPointerLeave={() => onPoint(null)}
    >
      <span class="kind">{evidence.kind.replaceAll("_", " ")}</span>
      <div class="sides">
        {(evidence.note || tells) && (
          <span>
            {evidence.note && <Ticked text={evidence.note} />} {tells && <q dir="auto">{mine}</q>}
          </span>
        )}
        {compares && (
          <span class="against">
            <span class="where">{against.where}</span>
            <q dir="auto">{against.text}</q>
          </span>
        )}
      </div>
      {evidence.closeness !== undefined && <Nearness value={evidence.closeness} />}
    </li>
  )
}

/** Whether a note already holds the words that it is about. */
function quoted(note: string | undefined, words: string): boolean {
  return note !== undefined && note.includes(`\`${words}\``)
}

function Nearness({ value }: { value: number }) {
  return (
    <span class="nearness" title={`closeness ${decimals(value)}`}>
      <span class="track">
        <span class="fill" style={{ width: `${along([0, 1], value) * 100}%` }} />
      </span>
      {decimals(value)}
    </span>
  )
}
