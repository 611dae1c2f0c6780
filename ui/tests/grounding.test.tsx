// @vitest-environment happy-dom
import { render } from "preact"
import { act } from "preact/test-utils"
import { afterEach, beforeEach, expect, test } from "vitest"
import {
  reasonText,
  marksIn,
  otherSupportCounts,
  titleOf,
  type Claim,
  type GroundingData,
} from "../src/data/grounding"
import { byClaim } from "../src/grounding/Answer"
import { GroundingPage } from "../src/grounding/GroundingPage"
import { INITIAL_CHARS } from "../src/grounding/Passages"

const root = document.createElement("div")
beforeEach(() => document.body.append(root))
afterEach(() => {
  act(() => render(null, root))
  root.remove()
  location.hash = ""
})

function shown(found: GroundingData): string {
  act(() => render(<GroundingPage grounding={found} />, root))
  return root.textContent
}

const PASSAGE = "A ticket costs 12 euros. Anna Meyer founded the museum."
const RIGHT: Claim = {
  text: "Anna Meyer founded the museum.",
  support: "supported",
  value: 0.988,
  notes: [],
  evidence: [
    {
      passage: 0,
      start: 25,
      end: 55,
      place: "passages[0][25:55]",
      pieces: [
        ["Anna Meyer", "matching"],
        [" founded the museum.", "rest"],
      ],
    },
  ],
}
const WRONG: Claim = {
  text: "A ticket costs 14 euros.",
  support: "unsupported",
  value: 0.225,
  notes: [
    {
      kind: "number_mismatch",
      says: "`14 euros` is not there; it says `12 euros`",
      words: ["14 euros"],
      source: { passage: 0, start: 15, end: 23, place: "passages[0][15:23]" },
    },
  ],
  evidence: [
    {
      passage: 0,
      start: 0,
      end: 24,
      place: "passages[0][0:24]",
      pieces: [
        ["A ticket costs ", "matching"],
        ["12 euros", "instead"],
        [".", "rest"],
      ],
    },
  ],
}
const CUTOFF = {
  name: "support",
  line: 0.5,
  good: "above" as const,
  doubt: [0.35, 0.6] as [number, number],
  calibrated: false,
  no_promise: "the cutoff is not calibrated",
}
const GROUNDING: GroundingData = {
  format: 1,
  support: "partially_supported",
  outcome: "fail",
  accepted: false,
  because: "partially supported: …",
  question: "Who founded it?",
  policy: "default@1",
  fail_mode: "closed",
  value: 0.053,
  threshold: { ...CUTOFF, words: "at least 0.5 (uncalibrated)", promise: null },
  unread_chars: 0,
  answer: [
    ["Anna Meyer founded the museum.", "supported", 0, null],
    [" ", "between", null, null],
    ["A ticket costs ", "plain", 1, null],
    ["14 euros", "wrong", 1, "`14 euros` is not there; it says `12 euros`"],
    [".", "plain", 1, null],
  ],
  claims: [RIGHT, WRONG],
  passages: [{ name: "museum.txt", text: PASSAGE }],
  injections: [],
  explained: null,
  thresholds: [{ ...CUTOFF, words: "at least 0.5 (uncalibrated)", promise: null }],
  encoder: "minilm:1",
}

test("the answer is complete, each claim with its number and a link to its evidence", () => {
  shown(GROUNDING)
  const answer = root.querySelector("section[aria-labelledby=answer] .text")!
  expect(answer.textContent).toBe("Anna Meyer founded the museum.1 A ticket costs 14 euros.2")
  const links = [...answer.querySelectorAll("a")]
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["#e1", "#e2"])
  for (const link of links) expect(root.querySelector(link.getAttribute("href")!)).not.toBeNull()
  expect(answer.querySelector("mark.tone-wrong")!.textContent).toBe("14 euros")
})

test("each claim says whether it is supported, why not, and the evidence", () => {
  shown(GROUNDING)
  const [right, wrong] = root.querySelectorAll("article")
  expect(right!.textContent).toBe(
    "1supported0.988Anna Meyer founded the museum.museum.txt passages[0][25:55]",
  )
  expect(wrong!.textContent).toContain("2not supported0.225")
  expect(wrong!.textContent).toContain("14 euros is not there; it says 12 euros")
  expect(wrong!.querySelector("mark.tone-instead")!.textContent).toBe("12 euros")
})

test("evidence is marked in the passage, and linked to", () => {
  shown(GROUNDING)
  const passage = root.querySelector(".passage .text")!
  expect(passage.textContent).toBe("A ticket costs 12 euros.2 Anna Meyer founded the museum.1")
  expect([...passage.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "A ticket costs ",
    "12 euros",
    ".",
    "Anna Meyer founded the museum.",
  ])
  for (const link of root.querySelectorAll(".source-link"))
    expect(document.getElementById(link.getAttribute("href")!.slice(1))).not.toBeNull()
})

test("title, reason, figures and thresholds are in plain words", () => {
  const text = shown(GROUNDING)
  expect(document.title).toBe("Partly supported · grounding")
  for (const words of [
    "Partly supported",
    "1 of 2 claims does not come from the passages.",
    "Question: Who founded it?",
    "0.053",
    "1 of 2",
    "1 not supported",
    "fail mode closed: the answer is withheld",
    "all text was read",
    "number mismatch",
    "No promise for this verdict: the cutoff is not calibrated.",
    "Encoder: minilm:1",
  ])
    expect(text).toContain(words)
  expect(titleOf({ ...GROUNDING, outcome: "error" })).toBe("Could not be judged")
  expect(titleOf({ ...GROUNDING, support: "undetermined", outcome: "unsure" })).toBe("Unsure")
  expect(
    reasonText({ ...GROUNDING, claims: [], support: "supported", because: "supported: all of it" }),
  ).toBe("all of it")
  expect(otherSupportCounts([RIGHT])).toBe("")
})

test("keys go from claim to claim, and to those that are not supported", () => {
  shown(GROUNDING)
  const press = (key: string) =>
    act(() => void document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))
  press("n")
  expect(document.activeElement!.id).toBe("e2")
  expect(root.querySelector("#c2")!.className).toContain("highlighted")
  press("k")
  expect(document.activeElement!.id).toBe("e1")
  press("j")
  press("j")
  expect(document.activeElement!.id).toBe("e2")
})

test("untrusted text is shown as text", () => {
  const attack = "<img src=x onerror=alert(1)>"
  const text = shown({
    ...GROUNDING,
    question: attack,
    answer: [[attack, "wrong", 1, attack]],
    claims: [RIGHT, { ...WRONG, notes: [{ ...WRONG.notes[0]!, says: attack, words: [attack] }] }],
    passages: [{ name: attack, text: PASSAGE }],
  })
  expect(root.querySelector("img")).toBeNull()
  expect(text.split(attack).length).toBeGreaterThan(6)
})

test("a policy without claims shows its explanation", () => {
  const text = shown({
    ...GROUNDING,
    claims: [],
    explained: "PASS keyword_overlap",
    answer: [["It is.", "between", null, null]],
  })
  expect(text).toContain("Explanation of the score")
  expect(text).toContain("PASS keyword_overlap")
  expect(text).not.toContain("claims supported")
})

test("instructions to the model in a passage are quoted and marked", () => {
  const text = shown({
    ...GROUNDING,
    injections: [{ passage: 0, start: 0, end: 8, place: "passages[0][0:8]" }],
  })
  expect(text).toContain("A passage contains instructions to the model")
  expect(root.querySelector(".warning q")!.textContent).toBe("A ticket")
  expect(root.querySelector("mark.tone-doubtful")!.textContent).toBe("A ticket")
})

test("a long passage is shown in full on request, or when a link leads into it", () => {
  const text = `${"a".repeat(INITIAL_CHARS)} ${PASSAGE}`
  const far = { ...RIGHT.evidence[0]!, start: INITIAL_CHARS + 26, end: INITIAL_CHARS + 56 }
  const long = {
    ...GROUNDING,
    claims: [{ ...RIGHT, evidence: [far] }, WRONG],
    passages: [{ name: null, text }],
  }
  shown(long)
  expect(root.querySelector(".passage .text")!.textContent).not.toContain("Anna")
  location.hash = `#p0-${far.start}`
  act(() => void window.dispatchEvent(new Event("hashchange")))
  expect(document.getElementById(`p0-${far.start}`)!.textContent).toBe("Anna Meyer founded the museum.")
})

test("segments of one claim are together, and marks are those of the passage", () => {
  expect(byClaim(GROUNDING.answer).map(({ claim, segments }) => [claim, segments.length])).toEqual([
    [0, 1],
    [null, 1],
    [1, 3],
  ])
  expect(marksIn(GROUNDING, 0)).toHaveLength(3)
  expect(marksIn(GROUNDING, 1)).toHaveLength(0)
})

test("text that is no claim is greyed out and labelled, between claims and within one", () => {
  const text = shown({
    ...GROUNDING,
    answer: [
      ["Prices", "between", null, "heading"],
      ["\n\n", "between", null, null],
      ["Anna Meyer founded the museum ", "supported", 0, null],
      ["[1]", "aside", 0, "citation"],
      [".", "supported", 0, null],
    ],
  })
  const greyed = [...root.querySelectorAll(".text .non-claim")]
  expect(greyed.map((one) => [one.textContent, one.getAttribute("data-kind")])).toEqual([
    ["Prices", "heading"],
    ["[1]", "citation"],
  ])
  expect(greyed[0]!.getAttribute("title")).toBe("a heading: not a claim, not checked")
  expect(text).toContain("not checked: a heading; a citation")
})
