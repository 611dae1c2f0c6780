import { describe, expect, it } from "vitest"
import { findAgain } from "./findAgain.ts"

const found = (was: string, quote: string, now: string) => {
  const start = was.indexOf(quote)
  const place = findAgain(was, start, start + quote.length, now)
  return place < 0 ? null : now.slice(place, place + quote.length)
}

const ARTICLE = "The museum opens at nine. A ticket costs 12 euros. Children under six pay nothing."

describe("a quote is found again", () => {
  it("where text was put in before it", () => {
    expect(found(ARTICLE, "A ticket costs 12 euros.", `News! ${ARTICLE}`)).toBe("A ticket costs 12 euros.")
  })

  it("among equal ones by what stands around it", () => {
    const was = "Monday: closed. Tuesday: open. Wednesday: closed. Thursday: open. Sunday: open."
    const now = `Our hours. ${was}`
    const start = was.indexOf("closed", was.indexOf("Wednesday"))
    expect(findAgain(was, start, start + 6, now)).toBe(start + 11)
  })

  it("among those that even have the same neighbours, by its place from the beginning", () => {
    const was = "yes ".repeat(60)
    expect(findAgain(was, 80, 83, was)).toBe(80)
  })

  it("among those that even have the same neighbours, by its place from the end", () => {
    const was = "yes ".repeat(60)
    expect(findAgain(was, 120, 123, `New words on top. ${was}`)).toBe(138)
  })

  it("when it is long and the only one, whatever stands around it now", () => {
    const quote = "Children under the age of six never pay anything at the door."
    const was = `${"Some words before it. ".repeat(4)}${quote}${" Some words after it.".repeat(4)}`
    expect(found(was, quote, `Everything else is new. ${quote} Really.`)).toBe(quote)
  })
})

describe("nothing is found rather than the wrong place", () => {
  it("when the quote is gone", () => {
    expect(found(ARTICLE, "A ticket costs 12 euros.", ARTICLE.replace("12", "14"))).toBeNull()
  })

  it("when a short quote stands in another neighbourhood only", () => {
    expect(
      found(ARTICLE, "nine", "Completely other words here, but nine is one of them, and more."),
    ).toBeNull()
  })

  it("when two fit as well and both have moved", () => {
    const was = "yes ".repeat(60)
    expect(findAgain(was, 80, 83, `yes ${was}`)).toBe(-1)
  })
})
