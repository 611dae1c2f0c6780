import type { Mark } from "./marks"
import type { Outcome } from "./outcome"

/** The data of a grounding's page; `sensecheck.grounding.page` writes it. */
export const FORMAT = 1

export type Support = "supported" | "partially_supported" | "unsupported" | "abstained" | "undetermined"
export type AnswerTone = "between" | "aside" | "supported" | "plain" | "wrong" | "doubtful" | "abstained"
export type EvidencePart = "rest" | "matching" | "instead"

/**
 * A segment of the answer: its text, its tone, the index of its claim, and a note: the mismatch, or the kind of
 * text that is no claim (`between`, `aside`, `abstained`).
 */
export type AnswerSegment = [text: string, tone: AnswerTone, claim: number | null, note: string | null]

/** A span of a passage in UTF-16 units; `place` is the same in code points, for display. */
export interface Place {
  passage: number
  start: number
  end: number
  place: string
}

export interface Quote extends Place {
  pieces: [text: string, part: EvidencePart][]
}

export interface Note {
  kind: string
  says: string
  /** Words of the answer; empty if the note is about the complete claim. */
  words: string[]
  /** Where the passages contradict. */
  source: Place | null
}

export interface Claim {
  text: string
  support: Support
  value: number | null
  notes: Note[]
  evidence: Quote[]
}

export interface Threshold {
  name: string
  line: number
  good: "above" | "below"
  doubt: [number, number] | null
  words: string
  calibrated: boolean
  /** The promise for this verdict; null if there is none. */
  promise: string | null
  /** Why there is no promise; null if there is one. */
  no_promise: string | null
}

export interface Passage {
  name: string | null
  text: string
}

export interface GroundingData {
  format: number
  support: Support
  outcome: Outcome
  accepted: boolean
  because: string
  question: string | null
  policy: string
  fail_mode: string
  value: number | null
  threshold: Threshold | null
  unread_chars: number | null
  answer: AnswerSegment[]
  claims: Claim[]
  passages: Passage[]
  injections: Place[]
  /** The explanation of the score, for policies without claims. */
  explained: string | null
  thresholds: Threshold[]
  encoder: string | null
}

const SUPPORT_LABELS: Record<Support, string> = {
  supported: "supported",
  partially_supported: "partly supported",
  unsupported: "not supported",
  abstained: "abstained",
  undetermined: "unsure",
}

const NON_CLAIM_LABELS: Record<string, string> = {
  heading: "a heading",
  frame: "words around the answer",
  offer: "an offer, or advice to ask",
  citation: "a citation",
  chat: "conversation",
  abstention: "says that the passages do not contain it",
}

/** The label of text that is no claim. */
export function nonClaimLabel(kind: string): string {
  return NON_CLAIM_LABELS[kind] ?? kind
}

export function supportLabel(support: Support): string {
  return SUPPORT_LABELS[support]
}

/** The result for the complete answer in a few words. */
export function titleOf({ outcome, support }: GroundingData): string {
  const words = outcome === "error" ? "could not be judged" : supportLabel(support)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The reason, without the words of the title. */
export function reasonText({ claims, because, support }: GroundingData): string {
  const wrong = claims.filter((claim) => claim.support === "unsupported").length
  const prefix = `${support.replaceAll("_", " ")}: `
  if (!wrong) return because.startsWith(prefix) ? because.slice(prefix.length) : because
  const verb = wrong === 1 ? "does" : "do"
  return `${wrong} of ${claims.length} ${claims.length === 1 ? "claim" : "claims"} ${verb} not come from the passages.`
}

/** The outcome whose colour and icon a claim gets. */
export function outcomeOf(support: Support): Outcome {
  if (support === "supported") return "pass"
  if (support === "abstained") return "measured"
  return support === "undetermined" ? "unsure" : "fail"
}

/** `2 not supported, 1 unsure`: all but the supported claims, in the order of the answer. */
export function otherSupportCounts(claims: readonly Claim[]): string {
  const counts = new Map<Support, number>()
  for (const { support } of claims) counts.set(support, (counts.get(support) ?? 0) + 1)
  counts.delete("supported")
  return [...counts].map(([support, count]) => `${count} ${supportLabel(support)}`).join(", ")
}

/** A mark in a passage: evidence of a claim (from 0), a contradicting text, or instructions to the model. */
export type PassageMark = { as: "evidence"; claim: number } | { as: "instead" } | { as: "injection" }

/** The id of a span in the page, for links to it. */
export function anchorOf({ passage, start }: Pick<Place, "passage" | "start">): string {
  return `p${passage}-${start}`
}

/** All marks in a passage. */
export function marksIn({ claims, injections }: GroundingData, passage: number): Mark<PassageMark>[] {
  const here = (one: Place | null): one is Place => one?.passage === passage
  const marked = ({ start, end }: Place, as: PassageMark) => ({ start, end, as })
  return [
    ...claims.flatMap(({ evidence, notes }, claim) => [
      ...evidence.filter(here).map((one) => marked(one, { as: "evidence", claim })),
      ...notes.flatMap(({ source }) => (here(source) ? [marked(source, { as: "instead" })] : [])),
    ]),
    ...injections.filter(here).map((one) => marked(one, { as: "injection" })),
  ]
}
