import type { Mark } from "./marks"
import type { Outcome } from "./outcome"

/** What a grounding's page shows; `sensecheck.grounding.page` writes it. */
export const FORMAT = 1

export type Support = "supported" | "partially_supported" | "unsupported" | "abstained" | "undetermined"
export type AnswerTone = "between" | "aside" | "supported" | "plain" | "wrong" | "doubtful" | "abstained"
export type EvidencePart = "rest" | "matching" | "instead"

/**
 * A stretch of the answer: its text, what it is marked as, its claim from 0, and what does not fit there; of what
 * claims nothing (`between`, `aside`, `abstained`), what it is.
 */
export type AnswerPiece = [text: string, tone: AnswerTone, claim: number | null, note: string | null]

/** A stretch of a passage, counted as the browser counts; `place` is it in code points, for people. */
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
  /** Of the answer; none when it is about the whole claim. */
  words: string[]
  /** Where the passages say something else. */
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
  /** What is promised for this very verdict; none where nothing is. */
  promise: string | null
  /** Why nothing is promised; none where something is. */
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
  answer: AnswerPiece[]
  claims: Claim[]
  passages: Passage[]
  injections: Place[]
  /** What was read, in words, where the policy knows no claims. */
  explained: string | null
  thresholds: Threshold[]
  encoder: string | null
}

const WORDS: Record<Support, string> = {
  supported: "supported",
  partially_supported: "partly supported",
  unsupported: "not supported",
  abstained: "abstained",
  undetermined: "unsure",
}

const NON_CLAIMS: Record<string, string> = {
  heading: "a heading",
  frame: "words around the answer",
  offer: "an offer, or advice to ask",
  citation: "a citation",
  chat: "conversation",
  abstention: "says that the passages do not say",
}

/** What a stretch is that claims nothing, for people. */
export function nonClaimInWords(kind: string): string {
  return NON_CLAIMS[kind] ?? kind
}

export function inWords(support: Support): string {
  return WORDS[support]
}

/** The whole answer in two words. */
export function titleOf({ outcome, support }: GroundingData): string {
  const words = outcome === "error" ? "could not be judged" : inWords(support)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Why, without the word that the title has said. */
export function becauseOf({ claims, because, support }: GroundingData): string {
  const wrong = claims.filter((claim) => claim.support === "unsupported").length
  const said = `${support.replaceAll("_", " ")}: `
  if (!wrong) return because.startsWith(said) ? because.slice(said.length) : because
  const verb = wrong === 1 ? "does" : "do"
  return `${wrong} of ${claims.length} ${claims.length === 1 ? "claim" : "claims"} ${verb} not come from the passages.`
}

/** The outcome whose colour and sign a claim has. */
export function outcomeOf(support: Support): Outcome {
  if (support === "supported") return "pass"
  if (support === "abstained") return "measured"
  return support === "undetermined" ? "unsure" : "fail"
}

/** `2 not supported, 1 unsure`: all but the supported ones, in the order in which they come. */
export function othersOf(claims: readonly Claim[]): string {
  const counts = new Map<Support, number>()
  for (const { support } of claims) counts.set(support, (counts.get(support) ?? 0) + 1)
  counts.delete("supported")
  return [...counts].map(([support, count]) => `${count} ${inWords(support)}`).join(", ")
}

/** What a stretch of a passage is: evidence of a claim (from 0), what it says instead, or words to the model. */
export type PassageMark = { as: "evidence"; claim: number } | { as: "instead" } | { as: "injection" }

/** The name of a place in the page, for links to it. */
export function anchorOf({ passage, start }: Pick<Place, "passage" | "start">): string {
  return `p${passage}-${start}`
}

/** Everything that is marked in a passage. */
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
