import { expect, test } from "vitest"
import { explained, marksOf } from "../src/data/evidence"
import type { Verdict } from "../src/data/run"

const found: Verdict = {
  check: "contains",
  outcome: "pass",
  because: "",
  evidence: [{ kind: "found", at: [0, 4] }],
}

test("evidence is numbered from the top down", () => {
  const tree = explained({ check: "test", outcome: "pass", because: "", parts: [found, found] })
  expect(tree.parts.map((part) => part.evidence[0]!.id)).toEqual([0, 1])
})

test("what speaks for a check speaks against its opposite", () => {
  expect(explained(found).evidence[0]!.tone).toBe("right")
  const turned = explained({
    check: "not-contains",
    outcome: "fail",
    because: "",
    turned: true,
    parts: [found],
  })
  expect(turned.parts[0]!.evidence[0]!.tone).toBe("wrong")
  expect([turned.turned, turned.parts[0]!.turned]).toEqual([false, true])
})

test("a claim that fails is told apart from the words in it that do not fit", () => {
  const claim: Verdict = {
    check: "claim",
    outcome: "fail",
    because: "",
    evidence: [
      { kind: "nearest", at: [0, 20] },
      { kind: "number_mismatch", at: [5, 7] },
    ],
  }
  expect(explained(claim).evidence.map(({ tone }) => tone)).toEqual(["wrong-claim", "wrong"])
})

test("evidence about the whole answer marks nothing", () => {
  expect(marksOf(explained(found), 4)).toEqual([])
  expect(marksOf(explained(found), 5)).toHaveLength(1)
})
