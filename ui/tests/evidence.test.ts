import { expect, test } from "vitest"
import { explainVerdict, answerMarks } from "../src/data/evidence"
import type { Verdict } from "../src/data/run"

const found: Verdict = {
  check: "contains",
  outcome: "pass",
  because: "",
  evidence: [{ kind: "found", at: [0, 4] }],
}

test("evidence is numbered from the top down", () => {
  const tree = explainVerdict({ check: "test", outcome: "pass", because: "", parts: [found, found] })
  expect(tree.parts.map((part) => part.evidence[0]!.id)).toEqual([0, 1])
})

test("evidence for a check is evidence against its negation", () => {
  expect(explainVerdict(found).evidence[0]!.tone).toBe("right")
  const negation = explainVerdict({
    check: "not-contains",
    outcome: "fail",
    because: "",
    turned: true,
    parts: [found],
  })
  expect(negation.parts[0]!.evidence[0]!.tone).toBe("wrong")
  expect([negation.negated, negation.parts[0]!.negated]).toEqual([false, true])
})

test("a failed claim differs from the mismatches in it", () => {
  const claim: Verdict = {
    check: "claim",
    outcome: "fail",
    because: "",
    evidence: [
      { kind: "nearest", at: [0, 20] },
      { kind: "number_mismatch", at: [5, 7] },
    ],
  }
  expect(explainVerdict(claim).evidence.map(({ tone }) => tone)).toEqual(["wrong-claim", "wrong"])
})

test("evidence about the complete answer marks nothing", () => {
  expect(answerMarks(explainVerdict(found), 4)).toEqual([])
  expect(answerMarks(explainVerdict(found), 5)).toHaveLength(1)
})
