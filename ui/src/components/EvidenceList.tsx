import type { NumberedEvidence } from "../data/evidence"
import { fraction } from "../data/domain"
import { decimals } from "../data/format"
import { CodeText } from "./CodeText"

const INITIAL_COUNT = 6

interface Props {
  evidence: NumberedEvidence[]
  answer: string
  /** The text that the answer is compared with, which is shown elsewhere. */
  comparedText?: string | undefined
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** The evidence for a score: words of the answer next to those they were compared with. */
export function EvidenceList({ evidence, ...rest }: Props) {
  const item = (one: NumberedEvidence) => <Item key={one.id} one={one} {...rest} />
  if (evidence.length <= INITIAL_COUNT) return <ul class="evidence">{evidence.map(item)}</ul>
  return (
    <>
      <ul class="evidence">{evidence.slice(0, INITIAL_COUNT).map(item)}</ul>
      <details>
        <summary>{evidence.length - INITIAL_COUNT} more</summary>
        <ul class="evidence">{evidence.slice(INITIAL_COUNT).map(item)}</ul>
      </details>
    </>
  )
}

function Item({
  one,
  answer,
  comparedText,
  pointed,
  onPoint,
}: Omit<Props, "evidence"> & { one: NumberedEvidence }) {
  const { evidence, tone, id } = one
  const quote = evidence.at ? answer.slice(...evidence.at) : evidence.said
  const showsQuote = quote !== undefined && quote !== answer && !quotes(evidence.note, quote)
  const source = evidence.source
  const showsSource = source && source.text !== comparedText && !quotes(evidence.note, source.text)
  return (
    <li
      class={`tone-${tone} ${pointed === id ? "highlighted" : ""}`}
      onPointerEnter={() => onPoint(id)}
      onPointerLeave={() => onPoint(null)}
    >
      <span class="kind">{evidence.kind.replaceAll("_", " ")}</span>
      <div class="evidence-text">
        {(evidence.note || showsQuote) && (
          <span>
            {evidence.note && <CodeText text={evidence.note} />} {showsQuote && <q dir="auto">{quote}</q>}
          </span>
        )}
        {showsSource && (
          <span class="source">
            <span class="where">{source.where}</span>
            <q dir="auto">{source.text}</q>
          </span>
        )}
      </div>
      {evidence.closeness !== undefined && <SimilarityBar value={evidence.closeness} />}
    </li>
  )
}

/** Whether a note already quotes these words. */
function quotes(note: string | undefined, words: string): boolean {
  return note !== undefined && note.includes(`\`${words}\``)
}

function SimilarityBar({ value }: { value: number }) {
  return (
    <span class="similarity" title={`similarity ${decimals(value)}`}>
      <span class="track">
        <span class="fill" style={{ width: `${fraction([0, 1], value) * 100}%` }} />
      </span>
      {decimals(value)}
    </span>
  )
}
