import { describe, expect, it } from "vitest"
import { chanceOfAtMost, promiseState, shareOf } from "../src/data/binomial"

describe("binomial shares", () => {
  // hits, tries, and the ends that `sensecheck.stats.binomial.clopper_pearson` gives
  it.each([
    [0, 30, 0.0, 0.11570330822202779],
    [3, 80, 0.0078011872657167015, 0.1057019850165086],
    [40, 80, 0.38604788336490936, 0.6139521166350907],
    [80, 80, 0.9549359649323077, 1.0],
    [999, 100000, 0.009382861709031458, 0.01062580664425209],
  ])("%i of %i have the interval of the server", (hits, n, low, high) => {
    const found = shareOf(hits, n)!
    expect(found.value).toBe(hits / n)
    expect(found.low).toBeCloseTo(low, 9)
    expect(found.high).toBeCloseTo(high, 9)
  })

  it("has no share without tries", () => {
    expect(shareOf(0, 0)).toBeNull()
  })

  it("has the chance of the server", () => {
    expect(chanceOfAtMost(3, 80, 0.05)).toBeCloseTo(0.42844863722043197, 10)
  })

  // as `sensecheck.calibration.placement.promise_result` says of at most 5% with 95% confidence
  it.each([
    [0, 0, "too few", 59],
    [0, 10, "too few", 49],
    [3, 80, "too few", 73],
    [0, 80, "holds", 0],
    [30, 80, "broken", 0],
  ] as const)("%i errors of %i: %s, %i more", (errors, n, state, more) => {
    expect(promiseState(errors, n, 0.05)).toEqual({ state, more })
  })
})
