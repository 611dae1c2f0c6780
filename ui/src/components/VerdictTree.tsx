import type { ExplainedVerdict } from "../data/evidence"
import type { Outcome } from "../data/outcome"
import type { Cutoff, Score } from "../data/run"
import { plural, decimals } from "../data/format"
import { ScoreBar } from "./ScoreBar"
import { EvidenceList } from "./EvidenceList"
import { OutcomeBadge } from "./OutcomeBadge"
import { CodeText } from "./CodeText"

const MAX_INLINE_CHARS = 200

interface Props {
  explained: ExplainedVerdict
  /** The assertion of the battery, with its score. */
  score?: Score | undefined
  cutoffs: readonly Cutoff[]
  /** Index of the parent's cutoff, which is not shown again. */
  parentCutoff?: number | undefined
  /** The text that the parent assertion compares the answer with. */
  comparedText?: string | undefined
  answer: string
  pointed: number | null
  onPoint: (id: number | null) => void
}

/** A verdict: its score, cutoff, reason and evidence, and the verdicts it consists of. */
export function VerdictTree({
  explained,
  score,
  cutoffs,
  parentCutoff,
  comparedText = score?.wanted,
  ...rest
}: Props) {
  const { verdict, evidence, parts, negated } = explained
  const cutoff = verdict.cutoff === undefined ? undefined : cutoffs[verdict.cutoff]
  return (
    <article class="verdict">
      <header>
        {negated ? <NegatedOutcome outcome={verdict.outcome} /> : <OutcomeBadge outcome={verdict.outcome} />}
        <h4>{score?.type ?? verdict.check}</h4>
        {score && <ScoreFacts score={score} check={verdict.check} />}
        {negated && <span class="score-facts">negated</span>}
      </header>
      {score?.wanted && <ComparedText text={score.wanted} negated={score.type.startsWith("not-")} />}
      {verdict.because && (
        <p class="because">
          <CodeText text={verdict.because} />
        </p>
      )}
      {verdict.value !== undefined && !isYesOrNo(verdict.value, cutoff) && (
        <>
          <ScoreBar value={verdict.value} cutoff={cutoff} outcome={negated ? undefined : verdict.outcome} />
          {cutoff && verdict.cutoff !== parentCutoff && <CutoffText cutoff={cutoff} />}
        </>
      )}
      {verdict.read && (
        <p class="small">
          <CodeText text={verdict.read} />
        </p>
      )}
      {verdict.unread && (
        <p class="small unread">{plural(verdict.unread, "character")} could not be read by the encoder</p>
      )}
      {evidence.length > 0 && <EvidenceList evidence={evidence} comparedText={comparedText} {...rest} />}
      {parts.length > 0 && (
        <div class="parts">
          {parts.map((part, at) => (
            <VerdictTree
              key={at}
              explained={part}
              score={score?.within?.[at]}
              parentCutoff={verdict.cutoff}
              {...{ cutoffs, comparedText }}
              {...rest}
            />
          ))}
        </div>
      )}
    </article>
  )
}

/** A score of 0 or 1 with the cutoff 1 needs no bar. */
function isYesOrNo(value: number, cutoff: Cutoff | undefined): boolean {
  return (value === 0 || value === 1) && cutoff?.line === 1 && !cutoff.calibrated
}

/** The outcome of a negated verdict, which is neither good nor bad. */
function NegatedOutcome({ outcome }: { outcome: Outcome }) {
  const label = outcome === "pass" ? "true" : outcome === "fail" ? "false" : outcome
  return <span class="small">{label}</span>
}

/** The text that the answer is compared with; a long one is collapsed. */
function ComparedText({ text, negated }: { text: string; negated: boolean }) {
  const label = <span class="where">{negated ? "not expected" : "expected"}</span>
  if (text.length <= MAX_INLINE_CHARS) {
    return (
      <p class="compared-text">
        {label} <q dir="auto">{text}</q>
      </p>
    )
  }
  return (
    <details class="compared-text">
      <summary>
        {label} <q dir="auto">{text.slice(0, MAX_INLINE_CHARS)}…</q>
      </summary>
      <q dir="auto">{text}</q>
    </details>
  )
}

function CutoffText({ cutoff }: { cutoff: Cutoff }) {
  const text = <span class="small">cutoff: {cutoff.words}</span>
  if (!cutoff.promise) return <p class="cutoff-text">{text}</p>
  return (
    <details class="cutoff-text">
      <summary title="The promise of this cutoff">{text}</summary>
      <p class="small">Promised: {cutoff.promise}</p>
    </details>
  )
}

function ScoreFacts({ score, check }: { score: Score; check: string }) {
  const facts = [
    score.metric && `metric ${score.metric}`,
    check !== score.type && check,
    score.weight !== 1 && (score.weight === 0 ? "not scored" : `weight ${score.weight}`),
    score.score !== null && `score ${decimals(score.score)}`,
  ].filter(Boolean)
  return <span class="score-facts">{facts.join(" · ")}</span>
}
