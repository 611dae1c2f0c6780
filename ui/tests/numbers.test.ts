import { expect, test } from "vitest"
import { along, domainOf, domainWith } from "../src/data/scale"
import { counted, decimals, duration, percent, plainly, whole } from "../src/data/words"
import { HALF } from "./made"

test("closeness goes from 0 to 1, and only as far below as something lies", () => {
  expect(domainOf([0.2, 1])).toEqual([0, 1])
  expect(domainOf([-0.23, 0.4])).toEqual([-0.3, 1])
  expect(domainOf([0, 200])).toEqual([0, 216])
})

test("the line and its doubt are always in sight", () => {
  expect(domainWith(12, { ...HALF, line: 100, doubt: [90, 110] })[1]).toBeGreaterThan(110)
})

test("what lies outside is drawn at the edge", () => {
  expect(along([0, 1], 7)).toBe(1)
  expect(along([-1, 1], 0)).toBe(0.5)
})

test("a share never looks complete when it is not", () => {
  expect(percent(0.99999)).toBe("99.9%")
  expect(percent(0.00001)).toBe("0.1%")
  expect([percent(0), percent(0.5), percent(1)]).toEqual(["0%", "50.0%", "100%"])
})

test("numbers are read easily", () => {
  expect(decimals(0.83682)).toBe("0.837")
  expect(decimals(1234.5)).toBe("1,235")
  expect(whole(1234567)).toBe("1,234,567")
  expect([counted(1, "test"), counted(0, "test")]).toEqual(["1 test", "0 tests"])
  expect([duration(320), duration(2400)]).toEqual(["320 ms", "2.4 s"])
})

test("a text is shown as it is, anything else as JSON", () => {
  expect(plainly("a")).toBe("a")
  expect(plainly(["a"])).toBe('[\n  "a"\n]')
})
