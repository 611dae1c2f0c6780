import { beforeEach, describe, expect, it } from "vitest"
import { type Passage, passageOf, rangeInPage } from "./passage.ts"

const show = (html: string) => {
  document.body.innerHTML = html
}
const over = (selector: string) => {
  const range = document.createRange()
  const node = document.querySelector(selector)
  if (!node) throw new Error(`nothing is ${selector}`)
  range.selectNodeContents(node)
  return range
}
const passage = (selector = "body") => {
  const found = passageOf(over(selector))
  if (!found) throw new Error(`nothing to read in ${selector}`)
  return found
}
const located = (found: Passage) => ({
  text: found.text,
  rangeOf: (start: number, end: number) => rangeInPage(found, start, end),
})

beforeEach(() => show(""))

describe("the text of a passage", () => {
  it("folds white space, also across elements", () => {
    show("<p>\n  A <b> ticket </b>\n costs <i>12</i> euros. </p>")
    expect(passage().text).toBe("A ticket costs 12 euros.")
  })

  it("puts an empty line between blocks and a break where there is one", () => {
    show("<h2>Prices</h2><p>Adults<br>12 euros</p><ul><li>one</li><li>two</li></ul>")
    expect(passage().text).toBe("Prices\n\nAdults\n12 euros\n\none\n\ntwo")
  })

  it("leaves out what is not read", () => {
    show(
      "<p>seen <script>a</script><style>b</style><button>Copy</button><span hidden>c</span>" +
        "<span contenteditable='true'>h</span><span data-sensecheck-off>d</span><textarea>e</textarea><ruby>漢<rt>kan</rt></ruby>" +
        '<span style="display:none">f</span><span style="visibility:hidden">g</span> <a href="#x">¶</a></p>',
    )
    expect(passage().text).toBe("seen 漢")
  })

  it("leaves out the inside of a closed fold", () => {
    show("<details><summary>More</summary><p>hidden</p></details><details open><p>seen</p></details>")
    expect(passage().text).toBe("More\n\nseen")
  })

  it("is cut where the range is cut", () => {
    show("<p>The museum opens at nine.</p><p>It closes late.</p>")
    const range = document.createRange()
    range.setStart(document.querySelector("p")?.firstChild ?? document, 3)
    range.setEnd(document.querySelectorAll("p")[1]?.firstChild ?? document, 10)
    const cut = passageOf(range)
    expect(cut?.text).toBe("museum opens at nine.\n\nIt closes")
    expect(cut?.range.startOffset).toBe(4)
    expect(cut?.range.endOffset).toBe(9)
  })

  it("is none where there is nothing to read", () => {
    show("<p> \n </p><div data-sensecheck-off><b>out</b></div>")
    expect(passageOf(over("p"))).toBeNull()
    expect(passageOf(over("b"))).toBeNull()
  })
})

describe("the way back to the page", () => {
  const ROWS = "<ul><li>Monday: closed</li><li>Tuesday: open</li><li>Sunday: closed</li></ul>"

  it("leads over elements and folded white space", () => {
    show("<p>A <b>ticket\n   costs</b> 12 euros.</p>")
    const { text, rangeOf } = located(passage())
    const start = text.indexOf("ticket")
    expect(rangeOf(start, start + "ticket costs 12".length)?.toString()).toBe("ticket\n   costs 12")
  })

  it("is none for places that are not in the text, or are only between blocks", () => {
    show("<p>a</p><p>b</p>")
    const { text, rangeOf } = located(passage())
    expect(text).toBe("a\n\nb")
    expect([rangeOf(-1, 1), rangeOf(0, 5), rangeOf(2, 2), rangeOf(3, 1), rangeOf(1, 3)]).toEqual(
      Array(5).fill(null),
    )
  })

  it("is found in new nodes when the page has drawn itself again", () => {
    show(ROWS)
    const { text, rangeOf } = located(passage("ul"))
    const start = text.lastIndexOf("closed")
    show(`<p>Our hours</p>${ROWS}`)
    const range = rangeOf(start, start + 6)
    expect(range?.toString()).toBe("closed")
    expect(range?.startContainer).toBe(document.querySelectorAll("li")[2]?.firstChild)
  })

  it("is found when a text node has been changed or shortened in place", () => {
    show("<p>The old museum opens at nine in the morning.</p>")
    const { text, rangeOf } = located(passage())
    const node = document.querySelector("p")?.firstChild as Text
    node.data = "The museum opens at nine in the morning."
    const start = text.indexOf("morning")
    expect(rangeOf(start, start + 7)?.toString()).toBe("morning")
  })

  it("is none when the words are gone, or are not seen any more", () => {
    show(ROWS)
    const { text, rangeOf } = located(passage())
    const start = text.indexOf("Tuesday: open")
    show(ROWS.replace("Tuesday", "Friday"))
    expect(rangeOf(start, start + 13)).toBeNull()
    show(ROWS)
    document.querySelectorAll("li")[1]?.setAttribute("hidden", "")
    expect(rangeOf(start, start + 13)).toBeNull()
  })
})
