import { expect, test } from "vitest"
import { changeText, dayAfter, spanText, targetOf, targetsText, valueText, weekday } from "../src/data/week"
import type { WeekFigure } from "../src/data/week"

const figure = (name: WeekFigure["name"], target: string, met: boolean | null = null) =>
  ({ name, target, met }) as WeekFigure

test("shares are shown in percent, times in milliseconds, means as they are", () => {
  expect(valueText("success", 0.9404)).toBe("94%")
  expect(valueText("false_positives", 0.0004)).toBe("0.04%")
  expect(valueText("similarity", 0.8194)).toBe("0.819")
  expect(valueText("latency_p95", 56.4)).toBe("56 ms")
  expect(valueText("success", null)).toBe("–")
})

test("a change has its sign and its unit", () => {
  expect(changeText("success", 0.105)).toBe("+10.5 points")
  expect(changeText("abstentions", -0.0191)).toBe("−1.9 points")
  expect(changeText("similarity", -0.0721)).toBe("−0.072")
  expect(changeText("latency_p95", 0)).toBe("±0 ms")
})

test("a target is a limit, and words", () => {
  expect(targetOf(figure("success", "at least 0.95"))).toEqual({ limit: 0.95, words: "at least 95%" })
  expect(targetOf(figure("similarity", "at least 0.7"))).toEqual({ limit: 0.7, words: "at least 0.7" })
  expect(targetOf(figure("abstentions", ""))).toBe(null)
  const some = [figure("success", "at least 0.95", true), figure("false_positives", "below 0.01")]
  expect(targetsText([...some, figure("abstentions", "")])).toBe("Targets: 1 met, 1 undecided.")
})

test("days are those of UTC", () => {
  expect(dayAfter("2026-03-01", -7)).toBe("2026-02-22")
  expect(weekday("2026-11-18")).toBe("Wed")
  expect(spanText("2026-11-09", "2026-11-15")).toBe("9 to 15 Nov 2026")
  expect(spanText("2026-11-28", "2026-12-04")).toBe("28 Nov to 4 Dec 2026")
  expect(spanText("2026-12-28", "2027-01-03")).toBe("28 Dec 2026 to 3 Jan 2027")
})
