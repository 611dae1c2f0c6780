import { expect, test } from "vitest"
import { suggestionsFor } from "./suggestions.ts"

function range(html: string) {
  document.body.innerHTML = html
  const found = document.createRange()
  found.selectNodeContents(document.querySelector("b")?.firstChild as Node)
  return found
}

test("the questions of the page, as a list or as text", () => {
  expect(suggestionsFor(range("<b>x</b>"), " When? | |Where?")).toEqual(["When?", "Where?"])
  expect(suggestionsFor(range("<b>x</b>"), ["When?", ""])).toEqual(["When?"])
  expect(suggestionsFor(range("<b>x</b>"))).toEqual([])
})

test("the nearest element with questions of its own replaces those of the page", () => {
  const html = `<main data-sensecheck-suggestions="Who?"><p data-sensecheck-suggestions="How much?|Why?"><b>x</b></p></main>`
  expect(suggestionsFor(range(html), "When?")).toEqual(["How much?", "Why?"])
  expect(suggestionsFor(range(`<p data-sensecheck-suggestions=""><b>x</b></p>`), "When?")).toEqual([])
})

test("at most four are offered", () => {
  expect(suggestionsFor(range("<b>x</b>"), "1|2|3|4|5")).toEqual(["1", "2", "3", "4"])
})
