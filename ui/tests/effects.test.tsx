// @vitest-environment happy-dom
import { render } from "preact"
import { afterEach, expect, test } from "vitest"
import {
  formatPValue,
  sortByRelevantLost,
  barSegments,
  curveSteps,
  type Curve,
  type EffectsReport,
  type ReferenceCounts,
  type Item,
  type Paired,
  type Trend,
} from "../src/data/effects"
import { conclusion as curveConclusion } from "../src/effects/Curves"
import { whyNoItems } from "../src/effects/Effects"
import { Items } from "../src/effects/Items"
import { LostQueries, MAX_OPEN_QUERIES } from "../src/effects/LostQueries"
import { truncate } from "../src/effects/truncate"
import { conclusion as trendConclusion } from "../src/effects/Positions"
import { describeKept } from "../src/effects/Stages"
import { Tiles } from "../src/effects/Tiles"

const root = document.createElement("div")
afterEach(() => render(null, root))

function given(references: number, relevant: number): ReferenceCounts {
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
    queries_labelled: 2,
  }
}

const ITEM: Item = {
  item: "sleep",
  position: 1,
  before: given(10, 4),
  after: given(5, 3),
  relevant_lost: 1,
  irrelevant_removed: 4,
  dropped: {
    above: { references: 3, relevant: 1, irrelevant: 2, unlabelled: 0 },
    within_chars: { references: 2, relevant: 0, irrelevant: 2, unlabelled: 0 },
  },
  cut: 0,
  budgets: { within_chars: { unit: "chars", used: 50, budget: 100 } },
  kept_by_budget: 5 / 7,
}
const REPORT: EffectsReport = {
  source: "a.jsonl",
  encoder: null,
  stages: ["above", "top", "within_chars"],
  guards: ["above 0.5", "top 4", "within_chars 800"],
  lost: [],
  items_differ: true,
  overall: ITEM,
  position_trend: null,
  items: [ITEM],
  scored: null,
}
const PAIRED: Paired = {
  shared_coverage: 1,
  bare: 0.3,
  guarded: 0.2,
  difference: -0.1,
  interval: { low: -0.2, high: -0.05 },
  p_value: 0.012,
  confidence: 0.95,
  outputs: 40,
  groups: 40,
  resamples: 2000,
  seed: 0,
  without_overlap: 0,
  claim: "below",
  fewest_groups: 20,
}

test("a bar reaches from 0 to 1, the stages in the order of the chain", () => {
  expect(barSegments(ITEM, REPORT.stages, "1")).toEqual([
    { row: "1", what: "kept", from: 0, to: 0.5 },
    { row: "1", what: "above", from: 0.5, to: 0.8 },
    { row: "1", what: "within_chars", from: 0.8, to: 1 },
  ])
})

test("a stage that is in the chain twice is drawn once", () => {
  expect(barSegments(ITEM, ["above", "within_chars", "above"], "1").map(({ what }) => what)).toEqual([
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
  expect(curveSteps({ points } as Curve)).toEqual([[0, 0.2], ...points])
  expect(curveSteps({ points: [] as Curve["points"] } as Curve)).toEqual([])
})

test("the conclusion follows the decision of the report", () => {
  expect(curveConclusion(PAIRED)).toBe(
    "Answers are significantly better with guards. AURC (lower is better) changes by " +
      "−0.100 with guards (95% interval −0.200 to −0.050, p = 0.012).",
  )
  expect(curveConclusion({ ...PAIRED, claim: "chance" })).toMatch(
    /^Nothing can be concluded: .* not significant\. /,
  )
  expect(curveConclusion({ ...PAIRED, claim: "above" })).toContain("worse with guards")
  expect(curveConclusion({ ...PAIRED, interval: null, groups: 2, claim: "few" })).toBe(
    "Nothing can be concluded: 2 groups, at least 20 required. AURC (lower is better) changes by " +
      "−0.100 with guards (no interval, p = 0.012).",
  )
})

test("a trend is stated with its significance", () => {
  const trend: Trend = {
    correlation: -0.5,
    p_value: 0.0005,
    confidence: 0.95,
    items: 9,
    orders: 2000,
    claim: "below",
    fewest_items: 8,
  }
  const sentence = (part: Partial<Trend>) =>
    trendConclusion({ ...REPORT, position_trend: { ...trend, ...part } })
  expect(sentence({})).toContain("(p < 0.001): significantly more fits for early items")
  expect(sentence({ claim: "above" })).toContain("more fits for late items")
  expect(sentence({ claim: "chance" })).toContain("not significant")
  expect(sentence({ claim: "few", items: 3 })).toContain("inconclusive: 3 items, at least 8 required")
  expect(trendConclusion(REPORT)).toContain("Too little variation")
})

test("a very small p is not shown as 0", () => {
  expect(formatPValue(0.0004)).toBe("p < 0.001")
  expect(formatPValue(0.05)).toBe("p = 0.050")
})

const BARE: ReferenceCounts = {
  ...given(4, 0),
  irrelevant: 0,
  unlabelled: 4,
  queries_labelled: 0,
  relevant_coverage: null,
}

test("without labels there is no figure of relevance, and the page says so", () => {
  const overall = { ...ITEM, before: BARE, after: BARE, relevant_lost: 0, irrelevant_removed: 0 }
  render(<Tiles overall={overall} />, root)
  expect(root.textContent).toContain("relevant references lost–nothing is labelled")
  expect(root.textContent).toContain("queries with a relevant reference–nothing is labelled")
  expect(root.textContent).toContain("references not labelled100%4 of 4")
  expect(root.textContent).toContain("queries with any reference left")
})

test("an item without labels has a dash, not 0%", () => {
  render(<Items report={{ ...REPORT, items: [{ ...ITEM, before: BARE, after: BARE }] }} />, root)
  const cells = [...root.querySelectorAll("td")].map((cell) => cell.textContent)
  expect(cells.slice(0, 2)).toEqual(["–", "– → –"])
})

test("a bar may be of one label alone, and has a text", () => {
  expect(barSegments(ITEM, REPORT.stages, "relevant", "relevant")).toEqual([
    { row: "relevant", what: "kept", from: 0, to: 0.75 },
    { row: "relevant", what: "above", from: 0.75, to: 1 },
  ])
  expect(describeKept(ITEM, REPORT.stages, "relevant")).toBe("3 of 4 kept; dropped by above 1")
})

test("items that lost most come first, and keep their positions", () => {
  const items = [
    ITEM,
    { ...ITEM, item: "mood", position: 2, relevant_lost: 3 },
    { ...ITEM, item: "work", position: 3 },
  ]
  expect(sortByRelevantLost(items).map(({ position }) => position)).toEqual([2, 1, 3])
  expect(items[0]).toBe(ITEM)
})

test("queries that lost all that was relevant are listed with the stage and the reason", () => {
  const lost = Array.from({ length: MAX_OPEN_QUERIES + 2 }, (_, at) => ({
    id: at,
    item: "sleep",
    query: `query ${at} <b>`,
    references: [{ text: "long ".repeat(99), closeness: 0.31, stage: "above", because: "it is below" }],
  }))
  render(<LostQueries report={{ ...REPORT, lost }} />, root)
  expect(root.querySelectorAll("li")).toHaveLength(MAX_OPEN_QUERIES + 2)
  expect(root.querySelector("summary")!.textContent).toBe("2 more")
  expect(root.querySelector("li")!.textContent).toContain("similarity 0.310, dropped by above: it is below")
  expect(root.querySelector("li")!.textContent).toContain("…")
  expect(root.querySelector("b")).toBeNull()
})

test("the page says why there are no figures per item", () => {
  expect(whyNoItems(REPORT)).toMatch(/^There is one item,/)
  expect(whyNoItems({ ...REPORT, items: [ITEM, ITEM] })).toMatch(/^Every item has one query,/)
})

test("an item's name is put in as text", () => {
  const hostile = { ...ITEM, item: "<img src=x onerror=alert(1)>" }
  render(<Items report={{ ...REPORT, items: [hostile] }} />, root)
  expect(root.querySelector("img")).toBeNull()
  expect(root.textContent).toContain("<img src=x")
})

test("a long name is cut between letters", () => {
  expect(truncate("sleep", 5)).toBe("sleep")
  expect(truncate("👩‍🚀 concentration", 6).endsWith("…")).toBe(true)
})
