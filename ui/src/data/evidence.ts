import type { Mark } from "./marks"
import type { Outcome } from "./outcome"
import type { Evidence, Verdict } from "./run"

/** What evidence says about its words, strongest first; a claim is a sentence, the others are words in it. */
export const TONES = ["wrong", "doubtful", "wrong-claim", "doubtful-claim", "right", "claim"] as const
export type EvidenceTone = (typeof TONES)[number]

/** Evidence with a number of its own, and with what it says about the answer. */
export interface Numbered {
  id: number
  evidence: Evidence
  tone: EvidenceTone
}

/** A verdict whose evidence is numbered, and those below it. */
export interface Explained {
  verdict: Verdict
  evidence: Numbered[]
  parts: Explained[]
  /** Whether the opposite of this verdict is wanted, so that it is neither good nor bad by itself. */
  turned: boolean
}

/** Evidence that only says where was looked; it is as good or bad as the verdict that it led to. */
const NEUTRAL = new Set(["nearest", "cluster", "compared", "no_evidence", "low_similarity", "unchecked"])

/** Numbers all evidence of a verdict, from the top down. */
export function explained(verdict: Verdict): Explained {
  let next = 0
  const explain = (one: Verdict, turned: boolean): Explained => ({
    verdict: one,
    turned,
    evidence: (one.evidence ?? []).map((evidence) => ({
      id: next++,
      evidence,
      tone: toneOf(evidence, turned ? OPPOSITE[one.outcome] : one.outcome),
    })),
    parts: (one.parts ?? []).map((part) => explain(part, turned !== (one.turned ?? false))),
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

/** The places of the answer that some evidence is about. */
export function marksOf(explanation: Explained, answer: number): ToneMark[] {
  return marked(explanation, answer, ({ at }) => at)
}

/** The same places as they stand in what was expected. */
export function expectedMarksOf(explanation: Explained, expected: number): ToneMark[] {
  return marked(explanation, expected, ({ source }) => source?.at)
}

/** What is about the whole of a text would mark nothing in it. */
function marked(
  { evidence, parts }: Explained,
  whole: number,
  place: (evidence: Evidence) => [number, number] | undefined,
): ToneMark[] {
  const own = evidence.flatMap(({ id, tone, evidence }) => {
    const [start, end] = place(evidence) ?? [0, whole]
    return end - start < whole ? [{ start, end, as: { id, tone, about: aboutOf(evidence) } }] : []
  })
  return [...own, ...parts.flatMap((part) => marked(part, whole, place))]
}

function toneOf(evidence: Evidence, outcome: Outcome): EvidenceTone {
  if (outcome === "pass") return "right"
  if (outcome !== "fail" && outcome !== "unsure") return "claim"
  const tone = outcome === "fail" ? "wrong" : "doubtful"
  return NEUTRAL.has(evidence.kind) ? `${tone}-claim` : tone
}

function aboutOf({ kind, note, source }: Evidence): string {
  return [kind.replaceAll("_", " "), note, source && `“${source.text}”`].filter(Boolean).join(": ")
}
