// @vitest-environment happy-dom
import { render } from "preact"
import { afterEach, expect, test } from "vitest"
import { partsOf, stepsOf, type Curve, type EffectsReport, type Given, type Item } from "../src/data/effects"
import { concluded as comparedInWords } from "../src/effects/Curves"
import { Items } from "../src/effects/Items"
import { concluded as trendInWords } from "../src/effects/Positions"
import { cut } from "../src/effects/Stages"
import { Tiles } from "../src/effects/Tiles"

const root = document.createElement("div")
afterEach(() => render(null, root))

function given(references: number, relevant: number): Given {
  return {
    queries: 2,
    references,
    relevant,
    irrelevant: references - relevant,
    unlabelled: 0,
    chars: references * 10,
    queries_with_any: references ? 2 : 0,
    queries_with_relevant: relevant ? 1 : 0,
    coverage: references ? 1 : 0,
    relevant_coverage: relevant ? 0.5 : 0,
  }
}

const ITEM: Item = {
  item: "sleep",
  position: 1,
  before: given(10, 4),
  after: given(5, 3),
  relevant_lost: 1,
  irrelevant_removed: 4,
  dropped: { above: 3, within_chars: 2 },
  cut: 0,
  budgets: { within_chars: { unit: "chars", used: 50, budget: 100 } },
  kept_by_budget: 5 / 7,
}
const REPORT: EffectsReport = {
  source: "a.jsonl",
  stages: ["above", "top", "within_chars"],
  overall: ITEM,
  position_trend: null,
  items: [ITEM],
  scored: null,
}
const PAIRED = {
  shared_coverage: 1,
  bare: 0.3,
  guarded: 0.2,
  difference: -0.1,
  interval: { low: -0.2, high: -0.05 },
  confidence: 0.95,
  outputs: 10,
  groups: 10,
  resamples: 2000,
  seed: 0,
  without_overlap: 0,
}

test("a bar reaches from 0 to 1, the stages in the order of the chain", () => {
  expect(partsOf(ITEM, REPORT.stages, "1")).toEqual([
    { row: "1", what: "kept", from: 0, to: 0.5 },
    { row: "1", what: "above", from: 0.5, to: 0.8 },
    { row: "1", what: "within_chars", from: 0.8, to: 1 },
  ])
})

test("a stage that stands twice in the chain is drawn once", () => {
  expect(partsOf(ITEM, ["above", "within_chars", "above"], "1").map(({ what }) => what)).toEqual([
    "kept",
    "above",
    "within_chars",
  ])
})

test("the first step's risk holds from coverage 0 on", () => {
  const points: Curve["points"] = [
    [0.5, 0.2],
    [1, 0.4],
  ]
  expect(stepsOf({ points } as Curve)).toEqual([[0, 0.2], ...points])
  expect(stepsOf({ points: [] as Curve["points"] } as Curve)).toEqual([])
})

test("nothing is claimed that could be chance", () => {
  expect(comparedInWords(PAIRED)).toBe(
    "AURC −0.100 with guards (95% interval −0.200 to −0.050): the guards made it better.",
  )
  expect(comparedInWords({ ...PAIRED, interval: { low: -0.2, high: 0.01 } })).toContain("could be chance")
  expect(comparedInWords({ ...PAIRED, interval: { low: 0.1, high: 0.2 } })).toContain("worse")
  expect(comparedInWords({ ...PAIRED, interval: null })).toContain("no interval")
})

test("a trend is told as far as it is one", () => {
  const trend = { correlation: -0.5, interval: { low: -0.7, high: -0.2 }, confidence: 0.95, queries: 9 }
  expect(trendInWords({ ...REPORT, position_trend: trend })).toContain("early items are favoured")
  expect(trendInWords({ ...REPORT, position_trend: { ...trend, interval: { low: -1, high: 1 } } })).toContain(
    "could be chance",
  )
  expect(trendInWords(REPORT)).toContain("too little")
})

test("without labels nothing is said of relevance", () => {
  const bare = { ...given(4, 0), irrelevant: 0, unlabelled: 4 }
  render(<Tiles overall={{ ...ITEM, before: bare, after: bare }} />, root)
  expect(root.textContent).not.toContain("relevant")
})

test("an item's name is put in as text", () => {
  const hostile = { ...ITEM, item: "<img src=x onerror=alert(1)>" }
  render(<Items report={{ ...REPORT, items: [hostile] }} />, root)
  expect(root.querySelector("img")).toBeNull()
  expect(root.textContent).toContain("<img src=x")
})

test("a long name is cut between letters", () => {
  expect(cut("sleep", 5)).toBe("sleep")
  expect(cut("👩‍🚀 concentration", 6).endsWith("…")).toBe(true)
})
