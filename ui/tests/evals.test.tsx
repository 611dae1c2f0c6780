// @vitest-environment happy-dom
import { render } from "preact"
import { afterEach, expect, test } from "vitest"
import {
  headlineFirst,
  metricName,
  type Change,
  type EvalsIndex,
  type Distribution,
  type TrendPoint,
} from "../src/data/evals"
import { NO_PAIR_FILTER, filterPairs, isNoPairFilter, sortPairs } from "../src/data/evalsFilter"
import {
  countsOf,
  factsDiffer,
  initialAxes,
  KIND_NAMES,
  kindOf,
  kindsOf,
  correctnessLabel,
  isWrong,
} from "../src/data/kinds"
import { splitByMarks } from "../src/data/marks"
import { diffWords } from "../src/data/wordDiff"
import { AgreementSection } from "../src/evals/AgreementSection"
import { ComparisonSection, conclusion, changeText } from "../src/evals/ComparisonSection"
import { shortName } from "../src/evals/drawTrend"
import { drawHistogram } from "../src/evals/drawHistogram"
import { sectionsOf } from "../src/evals/Evals"
import { Controls } from "../src/evals/Controls"
import { Header } from "../src/evals/Header"
import { describeChart, Metrics, whyMissing } from "../src/evals/Metrics"
import { Passages } from "../src/evals/PairDetail"
import { nearest, nextUnderMark, pathsOf, layoutOf, pointsOf } from "../src/evals/quadrantLayout"
import { QuadrantChart } from "../src/evals/QuadrantChart"
import { Slices, tablesOf } from "../src/evals/Slices"
import { seriesOf, Trends } from "../src/evals/Trends"
import same from "./kinds.json"

const root = document.createElement("div")
afterEach(() => render(null, root))

function distribution(metric: string, part: Partial<Distribution> = {}): Distribution {
  const read = { n: 4, mean: 0.6, low: 0.5, high: 0.7, na: 1, missing: { "no answer": 1 } }
  return { metric, encoder: "", ...read, from: 0, to: 1, counts: [1, 0, 2, 1], line: 0.5, ...part }
}

/** Five answers: good, a paraphrase, copied with a changed fact, bad, and one without a number. */
const INDEX: EvalsIndex = {
  run: 3,
  name: "nightly",
  project: "atlas",
  test: "open questions",
  at: "2026-01-31T08:00+00:00",
  questions: 5,
  whole: true,
  encoder: "mark",
  embedding: {},
  generation: { model: "small" },
  conditions: {},
  reached: 5,
  answered: 4,
  unanswered: 1,
  metrics: [
    distribution("semantic_similarity", { encoder: "minilm", line: 0.7 }),
    distribution("lexical_aggregate", { line: 0.4 }),
    distribution("fact_agreement"),
  ],
  axes: { across: 0, upwards: 1, facts: 2, correct: null },
  reasons: {},
  cells: [],
  slices: [
    {
      key: "topic",
      others: 2,
      values: [{ value: "billing", questions: 3, means: [0.9, null, 1], n: [3, 0, 3] }],
    },
  ],
  rows: {
    position: [0, 1, 2, 3, 4],
    id: ["q1", "q2", "q3", "q4", "q5"],
    title: ["one", "two", "three", "four", "five"],
    values: [
      [0.9, 0.8, 0.95, 0.2, null],
      [0.75, 0.1, 0.9, 0.1, null],
      [1, 1, 0.5, 0.5, null],
    ],
    slices: { topic: { values: ["billing", "login"], rows: [0, 0, 1, 1, null], of: 2 } },
    labels: {},
  },
  comparison: null,
  trend: [],
  agreement: [],
  pack: 100,
}
const AXES = initialAxes(INDEX)!
const KINDS = kindsOf(INDEX, AXES)

function filtered(part: Partial<typeof NO_PAIR_FILTER>): number[] {
  const differs = (row: number) => factsDiffer(INDEX, row)
  return filterPairs(
    INDEX,
    { ...NO_PAIR_FILTER, ...part },
    { kinds: KINDS, differs, textOf: (row) => INDEX.rows.title[row]! },
  )
}

test("the four kinds and n/a", () => {
  expect(KINDS).toEqual(["good", "paraphrase", "changed", "bad", "na"])
})

test("the kinds are those that were agreed on, case by case", () => {
  const cutoffs: [number, number] = [same.lines[0]!, same.lines[1]!]
  for (const { x, y, label, correct, facts, kind } of same.answers)
    expect([
      x,
      y,
      label,
      correct,
      facts,
      KIND_NAMES[kindOf(x, y, isWrong(label, correct, facts), cutoffs)],
    ]).toEqual([x, y, label, correct, facts, kind])
})

test("a human label wins, unless it is a grade or one of several", () => {
  const labelled = (labels: EvalsIndex["rows"]["labels"]) => ({ ...INDEX, rows: { ...INDEX.rows, labels } })
  const withLabels = labelled({ correct: [0, 0, 1, null, null], tone: [3, 4, 5, null, null] })
  expect(kindsOf(withLabels, AXES)).toEqual(["changed", "close", "good", "bad", "na"])
  expect(correctnessLabel(withLabels)).toBe("correct")
  expect(correctnessLabel(labelled({ right: [0, 1, null, null, null] }))).toBe("right")
  expect(correctnessLabel(labelled({ grade: [0, 4, null, null, null] }))).toBeNull()
  expect(
    correctnessLabel(labelled({ a: [0, null, null, null, null], b: [1, null, null, null, null] })),
  ).toBeNull()
  expect(correctnessLabel(INDEX)).toBeNull()
})

test("the names of the quadrants cover no mark", () => {
  const props = { index: INDEX, axes: AXES, kinds: KINDS, listed: [0, 1, 2, 3], open: null }
  const counts = countsOf(INDEX, AXES, KINDS).counts
  render(<QuadrantChart {...props} counts={counts} onOpen={() => undefined} />, root)
  const names = [...root.querySelectorAll(".quadrant-names text")]
  expect(names.map((name) => [...name.children].map((line) => line.textContent).join(" "))).toEqual([
    "same words, other meaning",
    "same words, same meaning",
    "other words, other meaning",
    "other words, same meaning",
  ])
  const layout = layoutOf(INDEX, AXES, 640)
  const tops = names.flatMap((name) => [...name.children].map((line) => Number(line.getAttribute("y"))))
  expect(tops.every((y) => y < layout.top - 12 || y > layout.bottom + layout.strip + 12)).toBe(true)
  render(
    <QuadrantChart
      {...props}
      axes={{ ...AXES, cutoffs: [0.95, 0.4] }}
      counts={counts}
      onOpen={() => undefined}
    />,
    root,
  )
  expect(root.querySelectorAll(".quadrant-names text")[1]!.textContent).toBe("both")
})

test("a fact that is missing from an answer that counts as correct changes nothing", () => {
  const values = [...INDEX.rows.values, [1, 1, 0.9, 0, null]]
  const judged = { ...INDEX, axes: { ...INDEX.axes!, correct: 3 }, rows: { ...INDEX.rows, values } }
  expect(kindsOf(judged, AXES)[2]).toBe("good")
  expect(factsDiffer(judged, 2)).toBe(true)
})

test("moving a cutoff moves answers to other kinds", () => {
  expect(kindsOf(INDEX, { ...AXES, cutoffs: [0.85, 0.4] })[1]).toBe("bad")
})

test("answers that are not shown are counted all the same, as long as it is known where they lie", () => {
  const many: EvalsIndex = {
    ...INDEX,
    reached: 15,
    cells: [
      [90, 80, 0, 6],
      [90, 80, 2, 3],
      [-1, 80, 0, 1],
    ],
  }
  expect(countsOf(many, AXES, KINDS)).toEqual({
    counts: { good: 7, paraphrase: 1, close: 0, changed: 4, bad: 1, na: 2 },
    complete: true,
  })
  expect(countsOf(many, { ...AXES, across: 2 }, KINDS).complete).toBe(false)
})

test("a cell may say more than that a fact differs", () => {
  const many: EvalsIndex = {
    ...INDEX,
    reached: 11,
    cells: [
      [90, 10, 0, 1, 1],
      [90, 10, 1, 2, 0],
      [20, 80, 0, 3, -1],
    ],
  }
  const { counts } = countsOf(many, AXES, KINDS)
  expect([counts.close, counts.paraphrase, counts.changed]).toEqual([1, 3, 4])
})

test("the headline comes first in every table", () => {
  const names = ["bleu", "lexical_aggregate", "other", "correctness", "fact_agreement"].map((metric) => ({
    metric,
  }))
  expect(headlineFirst(names).map((at) => names[at]!.metric)).toEqual([
    "correctness",
    "fact_agreement",
    "lexical_aggregate",
    "bleu",
    "other",
  ])
  const metrics = Array.from({ length: 14 }, (_, at) => distribution(at === 13 ? "correctness" : `m${at}`))
  expect(tablesOf({ metrics }).map((columns) => columns.length)).toEqual([6, 6, 2])
  expect(tablesOf({ metrics })[0]![0]).toBe(13)
})

test("the reason for missing scores is shown", () => {
  const failed = distribution("judged", {
    missing: { "could not be read": 2 },
    because: "`judge` did not answer",
  })
  expect(whyMissing(failed)).toBe("could not be read: 2; most often: `judge` did not answer")
  expect(whyMissing(distribution("bleu", { because: "no answer" }))).toBe("no answer: 1")
})

test("human labels are compared before the metrics", () => {
  const label: Change = { ...CHANGE, metric: "correct", difference: -0.2 }
  const props = { rowOf: () => undefined, titleOf: () => "", onOpen: () => undefined }
  const metrics = [CHANGE, { ...CHANGE, metric: "correctness" }]
  render(
    <ComparisonSection
      comparison={{ before: { run: 1 }, after: { run: 2 }, metrics, labels: [label] }}
      {...props}
    />,
    root,
  )
  expect([...root.querySelectorAll("tbody th")].map((cell) => cell.textContent)).toEqual([
    "correct (human label)",
    "correctness",
    "bleu",
  ])
  expect(root.querySelector(".lead")!.textContent).toBe(
    "Significantly lower: correct (human label). Significantly higher: correctness, bleu.",
  )
})

test("names of runs are truncated in a trend", () => {
  expect(shortName({ run: 7, name: "nightly" }, 9)).toBe("nightly")
  expect(shortName({ run: 7, name: "nightly" }, 5)).toBe("nigh…")
  expect(shortName({ run: 7, name: "nightly" }, 3)).toBe("7")
  expect(shortName({ run: 7 }, 9)).toBe("7")
})

test("filters by kind, slice, facts and query are combined", () => {
  expect(filtered({ kinds: new Set(["good", "na"]) })).toEqual([0, 4])
  expect(filtered({ slices: { topic: 1 } })).toEqual([2, 3])
  expect(filtered({ differing: true })).toEqual([2, 3])
  expect(filtered({ differing: true, query: "FOUR" })).toEqual([3])
  expect(isNoPairFilter(NO_PAIR_FILTER)).toBe(true)
})

test("the largest difference comes first, and n/a last", () => {
  expect(sortPairs(INDEX, [0, 1, 2, 3, 4], "difference", AXES)).toEqual([1, 0, 3, 2, 4])
  expect(sortPairs(INDEX, [0, 1, 2, 3, 4], "lowest", AXES)).toEqual([3, 1, 0, 2, 4])
  expect(sortPairs(INDEX, [4, 1], "file", AXES)).toEqual([4, 1])
})

test("every answer has a mark, in the strip if it has no score, and the nearest is found", () => {
  const layout = layoutOf(INDEX, AXES, 600)
  const points = pointsOf(INDEX, AXES, KINDS, [0, 1, 2, 3, 4], layout)
  expect(points[4]!.x).toBeLessThan(layout.left)
  expect(points[4]!.y).toBeGreaterThan(layout.bottom)
  expect(points.map(({ hollow }) => hollow)).toEqual([false, false, true, true, false])
  expect(nearest(points, points[1]!.x + 3, points[1]!.y)!.row).toBe(1)
  expect(nearest(points, layout.left + 5, layout.top + 5)).toBeNull()
  expect(pathsOf(points)).toHaveLength(5)
})

test("answers under one mark are gone through by pressing again", () => {
  const [point] = pointsOf(INDEX, AXES, KINDS, [0], layoutOf(INDEX, AXES, 600))
  const points = [point!, { ...point!, row: 7 }]
  expect(pathsOf(points)).toHaveLength(1)
  expect(nextUnderMark(points, point!, null).row).toBe(0)
  expect(nextUnderMark(points, point!, 0).row).toBe(7)
  expect(nextUnderMark(points, point!, 7).row).toBe(0)
})

test("words that only one side has are marked, in their place", () => {
  const [mine, theirs] = diffWords("It opened in 1932.", "it opened in May 1937")
  expect(splitByMarks("It opened in 1932.", mine).filter(({ marks }) => marks.length)).toEqual([
    { text: "1932", marks: [null] },
  ])
  expect(theirs.map(({ start, end }) => "it opened in May 1937".slice(start, end))).toEqual(["May", "1937"])
  expect(diffWords("same", "Same")).toEqual([[], []])
  expect(diffWords("", "")).toEqual([[], []])
})

test("very long texts are compared too", () => {
  const long = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(" ")
  const [mine] = diffWords(`${long} extra`, long)
  expect(mine).toHaveLength(1)
})

test("n/a is written as such, with its reason", () => {
  const none = distribution("judged", {
    n: 0,
    mean: null,
    low: null,
    high: null,
    na: 5,
    missing: { "no answer": 5 },
    counts: [0, 0],
  })
  render(<Metrics index={{ ...INDEX, metrics: [none] }} />, root)
  const cells = [...root.querySelectorAll("td")].map((cell) => cell.textContent)
  expect(cells).toEqual(["n/a", "n/a", "0", "5", "no answer: 5"])
  expect(describeChart(none)).toBe("Histogram of judged: no scores; 5 answers n/a")
})

test("a histogram has n/a as a bar of its own", () => {
  const chart = drawHistogram(distribution("bleu"), 300)
  expect(chart.querySelectorAll(".histogram-bar")).toHaveLength(3)
  expect(chart.querySelectorAll(".histogram-na")).toHaveLength(1)
  expect(chart.textContent).toContain("n/a")
  expect(drawHistogram(distribution("bleu", { na: 0 }), 300).querySelector(".histogram-na")).toBeNull()
})

test("an encoder is named only where a metric has several", () => {
  const metrics = [
    { metric: "semantic_similarity", encoder: "minilm" },
    { metric: "semantic_similarity", encoder: "other" },
    { metric: "bleu", encoder: "" },
  ]
  expect(metrics.map((_, at) => metricName(metrics, at))).toEqual([
    "semantic_similarity · minilm",
    "semantic_similarity · other",
    "bleu",
  ])
})

const CHANGE: Change = {
  metric: "bleu",
  n: 40,
  before: 0.5,
  after: 0.6,
  difference: 0.1,
  low: 0.05,
  high: 0.15,
  p: 0.001,
  adjusted: 0.002,
  claim: true,
  effect: 0.5,
  better: 0.6,
  worse: 0.2,
}

test("the conclusion names significant changes only", () => {
  const lower: Change = { ...CHANGE, metric: "rouge_l", difference: -0.1 }
  expect(conclusion([CHANGE, lower])).toBe("Significantly lower: rouge_l. Significantly higher: bleu.")
  expect(conclusion([{ ...CHANGE, claim: false }])).toBe("No significant change.")
  expect([CHANGE, lower, { ...CHANGE, claim: false }].map(changeText)).toEqual([
    "▲ higher",
    "▼ lower",
    "not significant",
  ])
})

test("a question that changed opens its answer, or is named if it is not shown", () => {
  const opened: number[] = []
  const moved = [
    { id: "q2", metric: "bleu", before: 0.9, after: 0.1 },
    { id: "<img src=x>", metric: "bleu", before: null, after: 0.1 },
  ]
  render(
    <ComparisonSection
      comparison={{ before: { run: 1 }, after: { run: 3 }, metrics: [CHANGE], moved, only_before: ["gone"] }}
      rowOf={(id) => (id === "q2" ? 1 : undefined)}
      titleOf={() => "two"}
      onOpen={(row) => opened.push(row)}
    />,
    root,
  )
  root.querySelector<HTMLButtonElement>(".largest-changes button")!.click()
  expect(opened).toEqual([1])
  expect(root.querySelector("img")).toBeNull()
  expect(root.textContent).toContain("n/a → 0.100")
  expect(root.textContent).toContain("Not compared: 1 question only in the earlier run.")
})

test("a trend is drawn metric by metric, and as a table", () => {
  const point: TrendPoint = {
    run: 1,
    at: "2026-01-30T08:00",
    metric: "bleu",
    n: 3,
    mean: 0.5,
    low: 0.4,
    high: 0.6,
    na: 0,
  }
  const trend = [point, { ...point, run: 2, mean: null, low: null, high: null, n: 0, na: 3 }]
  expect([...seriesOf([...trend, { ...point, metric: "rouge_l" }]).keys()]).toEqual(["bleu", "rouge_l"])
  render(<Trends trend={trend} run={2} />, root)
  expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toBe(
    "bleu over 2 runs: run 1 0.500, run 2 n/a",
  )
  expect(root.querySelectorAll("tbody tr")).toHaveLength(2)
})

test("agreement without labels of both kinds is n/a", () => {
  const row = { metric: "bleu", label: "correct", n: 9, spearman: 0.5, spearman_low: 0.1, spearman_high: 0.8 }
  render(<AgreementSection agreement={[{ ...row, auroc: null, auroc_low: null, auroc_high: null }]} />, root)
  expect(root.querySelector("td")!.textContent).toBe("n/a")
  expect(root.textContent).toContain("0.100 to 0.800")
})

test("answers with tied raters are counted, and a missing AUROC has a reason", () => {
  const row = {
    metric: "bleu",
    label: "correct",
    n: 9,
    spearman: 0.5,
    spearman_low: null,
    spearman_high: null,
  }
  const none = { auroc: null, auroc_low: null, auroc_high: null, split: 2, no_auroc: "too few" }
  render(<AgreementSection agreement={[{ ...row, ...none }]} />, root)
  expect(root.textContent).toContain("2 answers excluded from AUROC: as many raters chose 0 as 1.")
  expect(root.textContent).toContain("No AUROC: too few.")
  render(<AgreementSection agreement={[{ ...row, ...none, auroc: 0.8, split: 0, no_auroc: "" }]} />, root)
  expect(root.textContent).not.toContain("No AUROC")
})

test("a prompt without passages differs from an unknown prompt", () => {
  render(<Passages passages={[]} bare={true} />, root)
  expect(root.textContent).toBe("The prompt contained no passages.")
  render(<Passages passages={[]} bare={false} />, root)
  expect(root.textContent).toBe("")
})

test("slices are offered by the values that are shown, and the others are counted", () => {
  const offered = (values: string[], of: number) => {
    const slices = { topic: { values, rows: [0, 0, 1, 1, null], of } }
    const index = { ...INDEX, rows: { ...INDEX.rows, slices } }
    render(
      <Controls index={index} filter={NO_PAIR_FILTER} onFilter={() => undefined} field={{ current: null }} />,
      root,
    )
    return [...root.querySelectorAll("option")].map((option) => option.textContent)
  }
  expect(offered(["a", "b"], 5)).toEqual([
    "topic: all",
    "a",
    "b",
    "3 more values of answers that are not shown",
  ])
  expect(offered(["a", "b"], 2)).toHaveLength(3)
  expect(
    offered(
      Array.from({ length: 500 }, (_, at) => `v${at}`),
      500,
    ),
  ).toEqual([])
})

test("a slice of few questions is marked, and values that are left out are counted", () => {
  render(<Slices index={INDEX} />, root)
  expect(root.querySelector("tbody th")!.textContent).toBe("billing few")
  expect([...root.querySelectorAll("tbody td")].map((cell) => cell.textContent)).toEqual([
    "3",
    "1.000",
    "0.900",
    "n/a",
  ])
  expect(root.textContent).toContain("And 2 more values of topic.")
})

test("the header names the run, and links to existing sections only", () => {
  const hostile = { ...INDEX, name: "<b>x</b>", whole: false, reached: 4, answered: 3 }
  render(
    <Header index={hostile} theme="system" onTheme={() => undefined} sections={sectionsOf(hostile)} />,
    root,
  )
  expect(root.querySelector("h1")!.textContent).toBe("Run 3: <b>x</b>")
  expect(root.querySelector("h1 b")).toBeNull()
  expect(root.textContent).toContain("incomplete: 4 of 5 questions so far, 1 not processed")
  expect(root.textContent).toContain("without an answer1of 4")
  expect([...root.querySelectorAll("nav a")].map((link) => link.textContent)).toEqual([
    "Answers",
    "Slices",
    "Metrics",
  ])
})
