import { describe, expect, it } from "vitest"
import { barsOf, countsAt, placeOf, ratesAt, rocOf, valueAt, type Chart } from "../src/studio/cutoffs"

// good readings 0.1, 0.5, 0.9; bad ones 0, 0.2; one that is not labelled, 0.3
const GRID = { step: 0.1, digits: 1, first: 0, count: 12 }
const below = (values: number[]) =>
  Array.from({ length: GRID.count }, (_, at) => values.filter((one) => one < at / 10 - 1e-9).length)
const CHART = {
  good: "above",
  grid: GRID,
  below: { good: below([0.1, 0.5, 0.9]), bad: below([0, 0.2]), other: below([0.3]) },
  n: { good: 3, bad: 2, other: 1 },
  auc: 5 / 6,
} as unknown as Chart

describe("a cutoff on a grid", () => {
  it("has a value at each place, and the nearest place for a value", () => {
    expect(valueAt(CHART, 3)).toBe(0.3)
    expect(placeOf(CHART, 0.52)).toBe(5)
    expect([placeOf(CHART, -4), placeOf(CHART, 4)]).toEqual([0, 11])
  })

  it("counts what passes from the cutoff on, and what fails below it", () => {
    const counts = countsAt(CHART, { cutoff: 2, band: null })
    expect(counts).toEqual({ accepts: 1, rejects: 1, unsure: 0, passes: { good: 2, bad: 1, other: 1 } })
  })

  it("leaves what is within the band unsure", () => {
    const counts = countsAt(CHART, { cutoff: 3, band: [2, 6] })
    expect([counts.accepts, counts.rejects, counts.unsure]).toEqual([0, 1, 2])
  })

  it("has rates with intervals, and what is missing for a promise", () => {
    const rates = ratesAt(CHART, countsAt(CHART, { cutoff: 3, band: null }), 0.5, null)
    expect(rates.accepts).toMatchObject({ value: 0, low: 0, n: 2 })
    expect(rates.acceptsPromise).toEqual({ state: "too few", more: 3 })
    expect(rates.rejectsPromise).toBeNull()
  })

  it("draws each reading in one bar, and each point of the ROC curve once", () => {
    const bars = barsOf(CHART, 4)
    expect(bars.reduce((sum, bar) => sum + bar.counts.good, 0)).toBe(3)
    expect(bars.reduce((sum, bar) => sum + bar.counts.bad, 0)).toBe(2)
    const roc = rocOf(CHART, countsAt(CHART, { cutoff: 3, band: null }))!
    expect(roc.points[0]).toEqual([0, 0])
    expect(roc.points.at(-1)).toEqual([1, 1])
    expect(roc.passes).toEqual([0, 2 / 3])
  })
})
