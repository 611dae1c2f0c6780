import type { Mark } from "./marks"
import type { Outcome } from "./outcome"
import type { Evidence, Verdict } from "./run"

/** How evidence marks a text, strongest first; a claim is a sentence, the others are words in it. */
export const TONES = ["wrong", "doubtful", "wrong-claim", "doubtful-claim", "right", "claim"] as const
export type EvidenceTone = (typeof TONES)[number]

/** Evidence with its number and its tone. */
export interface NumberedEvidence {
  id: number
  evidence: Evidence
  tone: EvidenceTone
}

/** A verdict with numbered evidence, and its parts. */
export interface ExplainedVerdict {
  verdict: Verdict
  evidence: NumberedEvidence[]
  parts: ExplainedVerdict[]
  /** Whether the verdict is negated by one above it, so that it is neither good nor bad by itself. */
  negated: boolean
}

/** Kinds of evidence that only name the text that was compared; their tone is that of the verdict. */
const NEUTRAL = new Set(["nearest", "cluster", "compared", "no_evidence", "low_similarity", "unchecked"])

/** Numbers all evidence of a verdict, from the top down. */
export function explainVerdict(verdict: Verdict): ExplainedVerdict {
  let next = 0
  const explain = (one: Verdict, negated: boolean): ExplainedVerdict => ({
    verdict: one,
    negated,
    evidence: (one.evidence ?? []).map((evidence) => ({
      id: next++,
      evidence,
      tone: toneOf(evidence, negated ? OPPOSITE[one.outcome] : one.outcome),
    })),
    parts: (one.parts ?? []).map((part) => explain(part, negated !== (one.turned ?? false))),
  })
  return explain(verdict, false)
}

const OPPOSITE: Record<Outcome, Outcome> = {
  pass: "fail",
  fail: "pass",
  unsure: "unsure",
  error: "error",
  measured: "measured",
}

export type ToneMark = Mark<{ tone: EvidenceTone; about: string; id: number }>

/** The spans of the answer that evidence refers to. */
export function answerMarks(explanation: ExplainedVerdict, answer: number): ToneMark[] {
  return collectMarks(explanation, answer, ({ at }) => at)
}

/** The spans of the expected text that evidence refers to. */
export function expectedMarks(explanation: ExplainedVerdict, expected: number): ToneMark[] {
  return collectMarks(explanation, expected, ({ source }) => source?.at)
}

/** Evidence that refers to the complete text marks nothing in it. */
function collectMarks(
  { evidence, parts }: ExplainedVerdict,
  length: number,
  spanOf: (evidence: Evidence) => [number, number] | undefined,
): ToneMark[] {
  const own = evidence.flatMap(({ id, tone, evidence }) => {
    const [start, end] = spanOf(evidence) ?? [0, length]
    return end - start < length ? [{ start, end, as: { id, tone, about: describeEvidence(evidence) } }] : []
  })
  return [...own, ...parts.flatMap((part) => collectMarks(part, length, spanOf))]
}

function toneOf(evidence: Evidence, outcome: Outcome): EvidenceTone {
  if (outcome === "pass") return "right"
  if (outcome !== "fail" && outcome !== "unsure") return "claim"
  const tone = outcome === "fail" ? "wrong" : "doubtful"
  return NEUTRAL.has(evidence.kind) ? `${tone}-claim` : tone
}

function describeEvidence({ kind, note, source }: Evidence): string {
  return [kind.replaceAll("_", " "), note, source && `“${source.text}”`].filter(Boolean).join(": ")
}
