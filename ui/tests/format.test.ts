import { expect, test } from "vitest"
import { fraction, domainOf, domainWithCutoff } from "../src/data/domain"
import { plural, decimals, duration, percent, toText, integer } from "../src/data/format"
import { HALF } from "./sampleIndex"

test("similarity goes from 0 to 1, and below 0 only as far as needed", () => {
  expect(domainOf([0.2, 1])).toEqual([0, 1])
  expect(domainOf([-0.23, 0.4])).toEqual([-0.3, 1])
  expect(domainOf([0, 200])).toEqual([0, 216])
})

test("the cutoff and its unsure band are always visible", () => {
  expect(domainWithCutoff(12, { ...HALF, line: 100, doubt: [90, 110] })[1]).toBeGreaterThan(110)
})

test("values outside are drawn at the edge", () => {
  expect(fraction([0, 1], 7)).toBe(1)
  expect(fraction([-1, 1], 0)).toBe(0.5)
})

test("a share never looks complete when it is not", () => {
  expect(percent(0.99999)).toBe("99.9%")
  expect(percent(0.00001)).toBe("0.1%")
  expect([percent(0), percent(0.5), percent(1)]).toEqual(["0%", "50.0%", "100%"])
})

test("numbers are read easily", () => {
  expect(decimals(0.83682)).toBe("0.837")
  expect(decimals(1234.5)).toBe("1,235")
  expect(integer(1234567)).toBe("1,234,567")
  expect([plural(1, "test"), plural(0, "test")]).toEqual(["1 test", "0 tests"])
  expect([duration(320), duration(2400)]).toEqual(["320 ms", "2.4 s"])
})

test("a text is shown as it is, anything else as JSON", () => {
  expect(toText("a")).toBe("a")
  expect(toText(["a"])).toBe('[\n  "a"\n]')
})
