import { beforeEach, describe, expect, it } from "vitest"
import { createHighlighter } from "./highlighter.ts"

const rangeIn = (selector: string) => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector(selector)?.firstChild ?? document)
  return range
}
const outlined = () => [...document.querySelectorAll("[data-sensecheck-evidence]")].map(({ id }) => id)

beforeEach(() => {
  document.body.innerHTML = "<p id='one'><b>first</b></p><p id='two'><b>second</b></p>"
})

describe("without the highlights of newer browsers", () => {
  it("the block of the evidence is outlined until it is cleared", () => {
    const marks = createHighlighter(document)
    marks.show([rangeIn("#one b"), rangeIn("#two b")])
    expect(outlined()).toEqual(["one", "two"])
    marks.show([rangeIn("#two b")])
    expect(outlined()).toEqual(["two"])
    marks.show([])
    expect(outlined()).toEqual([])
    marks.destroy()
  })

  it("two on a page do not take away each other's outlines", () => {
    const [mine, other] = [createHighlighter(document), createHighlighter(document)]
    mine.show([rangeIn("#one b")])
    other.show([rangeIn("#one b"), rangeIn("#two b")])
    other.destroy()
    expect(outlined()).toEqual(["one"])
    mine.destroy()
    expect(outlined()).toEqual([])
  })

  it("nothing is left after the end", () => {
    const before = document.documentElement.outerHTML
    const sheets = [...document.adoptedStyleSheets]
    const marks = createHighlighter(document)
    expect(document.adoptedStyleSheets.length).toBe(sheets.length + 1)
    marks.show([rangeIn("#one b")])
    marks.point(rangeIn("#two b"))
    expect(outlined()).toEqual(["one", "two"])
    marks.destroy()
    expect(document.documentElement.outerHTML).toBe(before)
    expect(document.adoptedStyleSheets).toEqual(sheets)
  })
})
