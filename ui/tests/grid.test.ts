import { expect, test } from "vitest"
import { columns, gridRows } from "../src/data/grid"
import { sampleIndex } from "./sampleIndex"

const index = sampleIndex()

test("a column for each source, a row for each test", () => {
  expect(columns(index).map(({ name }) => name)).toEqual(["small", "large"])
  expect(gridRows(index, [0, 1, 2, 3], false).map(({ cells }) => cells)).toEqual([
    [0, 1],
    [2, 3],
  ])
})

test("a test is shown with all results even if only one is listed", () => {
  expect(gridRows(index, [3], false)).toEqual([{ test: 2, title: "Prices", cells: [2, 3] }])
})

test("tests are in list order", () => {
  expect(gridRows(index, [3, 0, 1, 2], false).map(({ test }) => test)).toEqual([2, 1])
})

test("tests on which all agree can be left out", () => {
  const rows = { ...index.rows, outcome: ["pass", "pass", "pass", "error"] as const }
  const agreeing = sampleIndex({ rows: { ...rows, outcome: [...rows.outcome] } })
  expect(gridRows(agreeing, [0, 1, 2, 3], true).map(({ test }) => test)).toEqual([2])
})
