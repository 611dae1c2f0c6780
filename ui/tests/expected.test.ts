import { expect, test } from "vitest"
import { explainVerdict } from "../src/data/evidence"
import { expectedTexts } from "../src/data/expected"
import type { Score, Verdict } from "../src/data/run"

const score = (type: string, part: Partial<Score> = {}): Score => ({
  type,
  score: 0,
  weight: 1,
  metric: "",
  ...part,
})
const differing: Verdict = {
  check: "keeps-facts",
  outcome: "fail",
  because: "",
  evidence: [
    { kind: "number", at: [0, 4], source: { where: "expected", text: "1911", at: [3, 7] } },
    { kind: "nearest", at: [0, 9], source: { where: "expected", text: "In 1911.", at: [0, 8] } },
    { kind: "number", at: [0, 4], source: { where: "passages[0]", text: "1911" } },
  ],
}
const parts = (...verdicts: Verdict[]) => verdicts.map(explainVerdict)

test("differing words are marked in the expected text too", () => {
  const [only] = expectedTexts(parts(differing), [score("keeps-facts", { wanted: "In 1911." })], undefined)
  expect(only!.marks.map(({ start, end, as }) => [start, end, as.id])).toEqual([[3, 7, 0]])
})

test("a text that several assertions expect is shown once", () => {
  const scores = ["means", "similar"].map((type) => score(type, { wanted: "In 1911." }))
  expect(expectedTexts(parts(differing, differing), scores, undefined).map(({ by }) => by)).toEqual([
    ["means", "similar"],
  ])
})

test("an assertion without a text of its own uses the variable", () => {
  expect(expectedTexts(parts(differing), [score("means")], "Yes.").map(({ text }) => text)).toEqual(["Yes."])
  expect(expectedTexts(parts(differing), [score("means")], 7)).toEqual([])
})

test("patterns and negations are no expected texts", () => {
  const scores = [score("contains", { wanted: "a" }), score("not-similar", { wanted: "b" })]
  expect(expectedTexts(parts(differing, differing), scores, "c")).toEqual([])
})

test("nested assertions are included", () => {
  const set: Verdict = { check: "assert-set", outcome: "fail", because: "", parts: [differing] }
  const scores = [score("assert-set", { within: [score("equals", { wanted: "In 1911." })] })]
  expect(expectedTexts(parts(set), scores, undefined)).toHaveLength(1)
})
