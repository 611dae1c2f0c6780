import type { Explained } from "../data/evidence"
import type { Outcome } from "../data/outcome"
import type { Line, Score } from "../data/run"
import { counted, decimals } from "../data/words"
import { ClosenessBar } from "./ClosenessBar"
import { EvidenceList } from "./EvidenceList"
import { OutcomeBadge } from "./OutcomeBadge"
import { Ticked } from "./Ticked"

const SHORT = 200

interface Asked {
  explained: Explained
  /** What the battery calls the assertion, and what it was worth. */
  score?: Score | undefined
  lines: readonly Line[]
  /** The line of the verdict above, which need not be told again. */
  told?: number | undefined
  /** What the assertion above holds the answer against. */
  wanted?: string | undefined
  answer: string
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** A verdict: what was read, where the line is, why, and the verdicts that it was made of. */
export function VerdictTree({ explained, score, lines, told, wanted = score?.wanted, ...rest }: Asked) {
  const { verdict, evidence, parts, turned } = explained
  const line = verdict.cutoff === undefined ? undefined : lines[verdict.cutoff]
  return (
    <article class="verdict">
      <header>
        {turned ? <Turned outcome={verdict.outcome} /> : <OutcomeBadge outcome={verdict.outcome} />}
        <h4>{score?.type ?? verdict.check}</h4>
        {score && <Worth score={score} check={verdict.check} />}
        {turned && <span class="worth">the opposite is wanted</span>}
      </header>
      {score?.wanted && <Held text={score.wanted} opposite={score.type.startsWith("not-")} />}
      {verdict.because && (
        <p class="because">
          <Ticked text={verdict.because} />
        </p>
      )}
      {verdict.value !== undefined && !isYesOrNo(verdict.value, line) && (
        <>
          <ClosenessBar value={verdict.value} line={line} outcome={turned ? undefined : verdict.outcome} />
          {line && verdict.cutoff !== told && <WantedLine line={line} />}
        </>
      )}
      {verdict.read && (
        <p class="small">
          <Ticked text={verdict.read} />
        </p>
      )}
      {verdict.unread && (
        <p class="small unread">{counted(verdict.unread, "character")} could not be read by the encoder</p>
      )}
      {evidence.length > 0 && <EvidenceList evidence={evidence} wanted={wanted} {...rest} />}
      {parts.length > 0 && (
        <div class="parts">
          {parts.map((part, at) => (
            <VerdictTree
              key={at}
              explained={part}
              score={score?.within?.[at]}
              told={verdict.cutoff}
              {...{ lines, wanted }}
              {...rest}
            />
          ))}
        </div>
      )}
    </article>
  )
}

/** What is either there or not needs no bar: the outcome says it all. */
function isYesOrNo(value: number, line: Line | undefined): boolean {
  return (value === 0 || value === 1) && line?.line === 1 && !line.calibrated
}

/** A verdict whose opposite is wanted is neither good nor bad. */
function Turned({ outcome }: { outcome: Outcome }) {
  const said = outcome === "pass" ? "holds" : outcome === "fail" ? "does not hold" : outcome
  return <span class="small">{said}</span>
}

/** What the answer is held against; a long text is opened when asked. */
function Held({ text, opposite }: { text: string; opposite: boolean }) {
  const label = <span class="where">{opposite ? "not wanted" : "wanted"}</span>
  if (text.length <= SHORT) {
    return (
      <p class="held">
        {label} <q dir="auto">{text}</q>
      </p>
    )
  }
  return (
    <details class="held">
      <summary>
        {label} <q dir="auto">{text.slice(0, SHORT)}…</q>
      </summary>
      <q dir="auto">{text}</q>
    </details>
  )
}

function WantedLine({ line }: { line: Line }) {
  const wanted = <span class="small">wanted {line.words}</span>
  if (!line.promise) return <p class="wanted">{wanted}</p>
  return (
    <details class="wanted">
      <summary title="What is promised for this line">{wanted}</summary>
      <p class="small">Promised: {line.promise}</p>
    </details>
  )
}

function Worth({ score, check }: { score: Score; check: string }) {
  const facts = [
    score.metric && `metric ${score.metric}`,
    check !== score.type && check,
    score.weight !== 1 && (score.weight === 0 ? "only reported" : `weight ${score.weight}`),
    score.score !== null && `score ${decimals(score.score)}`,
  ].filter(Boolean)
  return <span class="worth">{facts.join(" · ")}</span>
}
