import { describe, expect, it } from "vitest"
import { sectionsOf } from "./sections.ts"

const sections = (html: string) => {
  document.body.innerHTML = html
  return sectionsOf(document.body)
}

describe("sections", () => {
  it("are cut at headings, each without the text of the next", () => {
    const found = sections(
      "<p>Welcome.</p><h1>Museum</h1><section><h2 id='p'>Prices <a href='#p'>¶</a></h2><p>Adults pay 12.</p>" +
        "<div><h3>Children</h3>They pay nothing.</div></section>",
    )
    expect(found.map(({ id, title, text }) => [id, title, text])).toEqual([
      ["s0", "", "Welcome."],
      ["s1", "Prices", "Prices\n\nAdults pay 12."],
      ["s2", "Children", "Children\n\nThey pay nothing."],
    ])
  })

  it("lead back to the page", () => {
    const second = sections("<h2>A</h2><p>one</p><h2>B</h2><p>two <b>three</b></p>")[1]
    const at = second?.text.indexOf("two") ?? -1
    expect(second?.rangeOf(at, at + 9)?.toString()).toBe("two three")
  })

  it("leave out what surrounds the page", () => {
    const found = sections(
      "<header><h1>Site</h1>Search</header><nav><h2>Pages</h2>x</nav><main><p>Adults pay 12.</p>" +
        "<footer>Edit</footer></main><aside>Ads</aside><div role='navigation'>Next</div><footer>Imprint</footer>",
    )
    expect(found.map(({ text }) => text)).toEqual(["Adults pay 12."])
  })

  it("hold what is folded away, since a reader can open it", () => {
    const found = sections("<h2>Questions</h2><details><summary>How much?</summary>12 euros.</details>")
    expect(found[0]?.text).toContain("12 euros.")
  })

  it("are made between blocks where there are no headings", () => {
    const found = sections(`<p>${"word ".repeat(150)}</p>`.repeat(9))
    expect(found.map(({ text }) => text.length)).toEqual([1500, 1500, 1500, 1500, 749])
    expect(found.every(({ text }) => text.startsWith("word") && text.endsWith("word"))).toBe(true)
    expect(found[1]?.rangeOf(0, 4)?.startContainer).toBe(document.querySelectorAll("p")[2]?.firstChild)
  })

  it("that are too long are split, whatever they hold, and never within a character", () => {
    const found = sections(`<h2>Long</h2><p>${"😀".repeat(12_001)}</p><p>${"word ".repeat(3_000)}</p>`)
    expect(found.every(({ text, title }) => [...text].length <= 10_000 && title === "Long")).toBe(true)
    expect(found.some(({ text }) => /\p{Surrogate}/u.test(text))).toBe(false)
    const all = found.map(({ text }) => text).join("")
    expect(all.replace(/\s/g, "")).toBe(`${"😀".repeat(12_001)}${"word".repeat(3_000)}`)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  })

  it("are at most 60, from the beginning", () => {
    const found = sections("<h2>T</h2><p>text</p>".repeat(100))
    expect(found.length).toBe(60)
  })

  it("are at most 60,000 characters together, from the beginning", () => {
    const found = sections(`<h2>T</h2><p>${"word ".repeat(1_400)}</p>`.repeat(20))
    const together = found.reduce((sum, { text }) => sum + text.length, 0)
    expect(found.length).toBe(8)
    expect(together).toBeLessThanOrEqual(60_000)
  })

  it("are none in an empty page", () => {
    expect(sections("<h1>Only a heading</h1>")).toEqual([])
  })
})
