// @vitest-environment happy-dom
import { render } from "preact"
import { act } from "preact/test-utils"
import { afterEach, expect, test } from "vitest"
import { CardPage } from "../src/card/CardPage"
import { caption } from "../src/card/RocCurve"
import { thresholdLabel } from "../src/card/Scores"
import {
  hits,
  interval,
  scaleOf,
  share,
  samplePoints,
  type CardData,
  type NamedRate,
  type Passing,
} from "../src/data/card"

const root = document.createElement("div")
afterEach(() => render(null, root))

function shown(card: CardData): string {
  act(() => render(<CardPage card={card} />, root))
  return root.textContent
}

const RATES: NamedRate[] = [
  {
    kind: "false_accepts",
    what: "bad answers that pass",
    rate: { value: 0.03125, low: 0.0086, high: 0.0781, n: 128 },
  },
  { kind: "false_rejects", what: "good answers that fail", rate: null },
  { kind: "unsure", what: "answers left unsure", rate: { value: 0.5, low: 0.4, high: 0.6, n: 200 } },
]
const CARD: CardData = {
  format: 1,
  name: "words",
  promise: "False accepts ≤ 5% with 95% confidence.",
  speaks_of: "the verdicts of `means`",
  broken: [],
  claims: [],
  passes: "at least 0.52, unsure from 0.48 to 0.52",
  measure: "keyword_overlap",
  measure_in_full: '{"kind": "keyword_overlap"}',
  good: "above",
  threshold: 0.52,
  unsure: [0.48, 0.52],
  targets: { false_accepts: 0.05 },
  held_out: { good: 72, bad: 128 },
  rates: RATES,
  slices: [{ column: "model", rows: [{ value: "<b>m0</b>", rates: RATES }] }],
  histogram: { edges: [0, 0.52, 1.04], good: [0.25, 0.75], bad: [0.96875, 0.03125] },
  roc: {
    points: [
      [0, 0],
      [0.03125, 0.75],
      [1, 1],
    ],
    auc: 0.8671,
    passes: [0.03125, 0.75],
    not_failed: [0.1, 0.9],
    whole: true,
  },
  reliability: [{ low: 0, high: 0.4, expected: 0.2, observed: { value: 0.25, low: 0.1, high: 0.5, n: 20 } }],
  warnings: ["few rows"],
  facts: [["data", "labels.jsonl, 300 rows"]],
  version: "0.1.0",
}

test("only none is 0% and only all is 100%", () => {
  const cases: [number, string][] = [
    [0, "0%"],
    [1, "100%"],
    [0.05, "5%"],
    [0.0312, "3.1%"],
    [0.0004, "0.04%"],
    [0.99996, "99.996%"],
    [0.5, "50%"],
    [0.1, "10%"],
    [0.000000001, "0.0000001%"],
  ]
  for (const [value, words] of cases) expect(share(value)).toBe(words)
})

test("a rate is shown with its interval, its rows and its promise", () => {
  const text = shown(CARD)
  expect(text).toContain("3.1%4 of 128 held out; 95% interval 0.9% to 7.8%promised: at most 5%")
  expect(text).toContain("no such answers were held out")
  expect(hits(RATES[2]!.rate!)).toBe("100 of 200")
  expect(interval(RATES[2]!.rate!)).toBe("40% to 60%")
})

test("the promise, the threshold, warnings and facts are there to read", () => {
  const text = shown(CARD)
  expect(root.querySelector("h1")!.textContent).toBe("words")
  expect(document.title).toBe("words · calibration card")
  for (const words of [
    "False accepts ≤ 5%",
    "at least 0.52, unsure from 0.48 to 0.52",
    "few rows",
    "labels.jsonl, 300 rows",
    "0.867",
    'threshold: "words"',
  ])
    expect(text).toContain(words)
})

test("a card states what it refers to, and which promise is broken", () => {
  expect(shown(CARD)).toContain("Promise and rates are about the verdicts of means.")
  expect(root.textContent).not.toContain("contradict the promise")
  const text = shown({ ...CARD, broken: ["false accepts <= 5% is broken (30% of 40)"] })
  expect(text).toContain(
    "The held-out answers contradict the promisefalse accepts <= 5% is broken (30% of 40)",
  )
})

test("each number of claims has its own row, and one without a promise states why", () => {
  const one = { passes: "at least 0.5", promise: "at most 5% pass", rates: RATES }
  const text = shown({
    ...CARD,
    claims: [
      { ...one, claims: "1 claim", promised: "1 claim" },
      { ...one, claims: "4 to 7 claims", promised: "2 to 7 claims" },
      { ...one, claims: "8 claims or more", promised: null, promise: "nothing is promised: too few" },
    ],
  })
  const table = [...root.querySelectorAll("table")].find((each) => each.textContent!.includes("pass with"))!
  const cells = [...table.querySelectorAll("tbody tr")].map(
    (row) => row.querySelectorAll("td")[1]!.textContent,
  )
  expect(cells).toEqual(["yes", "for 2 to 7 claims", "no"])
  expect(text).toContain("nothing is promised: too few")
})

test("every chart has a label and a table", () => {
  shown(CARD)
  const charts = [...root.querySelectorAll('[role="img"]')]
  expect(charts).toHaveLength(3)
  for (const one of charts) expect(one.getAttribute("aria-label")!.length).toBeGreaterThan(40)
  expect(root.querySelectorAll("details table")).toHaveLength(3)
  const [bins] = root.querySelectorAll("details table")
  expect([...bins!.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual([
    "25%",
    "96.9%",
    "75%",
    "3.1%",
  ])
})

test("charts are drawn, with a bar for each bin of each label", () => {
  shown(CARD)
  const [scores, roc, reliability] = root.querySelectorAll(".chart svg")
  expect(scores!.querySelectorAll('rect[fill="var(--good)"]')).toHaveLength(2)
  expect(scores!.querySelectorAll('rect[fill="var(--bad)"]')).toHaveLength(2)
  expect(scores!.querySelectorAll('rect[fill="var(--band)"], [fill="var(--band)"] rect')).toHaveLength(1)
  expect(scores!.textContent).toContain("passes from 0.52 →")
  expect(roc!.querySelectorAll("circle")).toHaveLength(2)
  expect(reliability!.querySelectorAll("circle")).toHaveLength(1)
})

test("untrusted text is shown as text", () => {
  shown({ ...CARD, warnings: ["<img src=x onerror=alert(1)>"] })
  expect(root.querySelector("img, b > b")).toBeNull()
  expect(root.textContent).toContain("<img src=x onerror=alert(1)>")
  expect(root.textContent).toContain("<b>m0</b>")
})

test("a card without held-out rows says so and draws nothing", () => {
  const text = shown({ ...CARD, histogram: null, roc: null, reliability: [], slices: [] })
  expect(text).toContain("No rows were held out")
  expect(root.querySelectorAll('[role="img"]')).toHaveLength(0)
})

test("the arrow points to the side that passes", () => {
  expect(thresholdLabel(CARD)).toBe("passes from 0.52 →")
  expect(thresholdLabel({ ...CARD, good: "below", threshold: 0.1 + 0.2 })).toBe("← passes up to 0.3")
})

test("a curve from a sample of scores says so", () => {
  expect(caption(CARD.roc!)).toBe(
    "With this threshold 75% of good and 3.1% of bad answers pass. A good answer scores better than a bad one in 86.7% of all pairs (AUC).",
  )
  expect(caption({ ...CARD.roc!, whole: false })).toContain("a sample of a hundred scores")
})

test("ticks are round, few and inside, however far apart scores are", () => {
  expect(
    scaleOf(0, 1)
      .ticks(6)
      .map((one) => one.toFixed(2)),
  ).toEqual(["0.00", "0.20", "0.40", "0.60", "0.80", "1.00"])
  for (const [low, high] of [
    [-0.13, 0.13],
    [-1e300, 1e300],
    [-1.7e308, 1.7e308],
    [0.4999, 0.5001],
  ] as const) {
    const ticks = scaleOf(low, high).ticks(7)
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.length).toBeLessThanOrEqual(7)
    const places = ticks.map(scaleOf(low, high).place)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places.every((place) => place >= 0 && place <= 1)).toBe(true)
  }
})

test("some points of a curve hold its first and its last", () => {
  const points = Array.from({ length: 100 }, (_, at): Passing => [at / 99, at / 99])
  const some = samplePoints(points)
  expect(some).toHaveLength(21)
  expect([some[0], some.at(-1)]).toEqual([points[0], points[99]])
  expect(samplePoints(points.slice(0, 2))).toHaveLength(2)
})
