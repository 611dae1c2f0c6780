import { resolve } from "node:path"
import { build } from "esbuild"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { BROWSERS, launch } from "./browsers.ts"

const ROOM = ["passage", "readText", "watchSelection", "highlighter", "scrollToRange", "sections"]
  .map((name) => `export * from "./${name}.ts"`)
  .join("\n")

declare global {
  var room: typeof import("../../src/page/passage.ts") &
    typeof import("../../src/page/readText.ts") &
    typeof import("../../src/page/watchSelection.ts") &
    typeof import("../../src/page/highlighter.ts") &
    typeof import("../../src/page/scrollToRange.ts") &
    typeof import("../../src/page/sections.ts")
  var told: (string | null)[]
  var stopWatching: () => void
  function over(selector: string): Range
  function mismatches(seed: number): string[]
}

/** In the page: a range over everything in an element. */
const OVER = `globalThis.over = (selector) => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector(selector))
  return range
}`

/**
 * In the page: a tree grown by chance, of blocks, lines, code and tables, and what is wrong in its reading. The
 * browser's own innerText says which words stand on which line; every place must lead to the same words and back.
 */
const MISMATCHES = `globalThis.mismatches = (seed) => {
  let state = seed
  const chance = (most) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % most }
  const pick = (all) => all[chance(all.length)]
  const INLINE = ["span", "b", "code", "a"], BLOCK = ["p", "div", "pre", "ul", "table", "lines", "flex"]
  const words = () => Array.from({ length: 1 + chance(4) }, () =>
    pick(["", " ", "  ", "\\n", " \\n\\t "]) + pick(["a", "bc", "dé", "😀", "x\\u00a0y", "end."]) + pick(["", " ", "\\n "])).join(pick([" ", "\\n"]))
  const make = (tag, ...inside) => { const node = document.createElement(tag); node.append(...inside); return node }
  const inline = (depth) => {
    const kind = chance(6)
    if (kind === 0) return make("br")
    if (kind < 3 && depth > 0) return make(pick(INLINE), ...some(inline, depth - 1))
    return document.createTextNode(words())
  }
  const some = (grow, depth) => Array.from({ length: 1 + chance(3) }, () => grow(depth))
  const block = (depth) => {
    if (depth === 0 || chance(4) === 0) return make("p", ...some(inline, 2))
    const tag = pick(BLOCK)
    if (tag === "ul") return make("ul", ...some(() => make("li", ...some(inline, 1)), 0))
    if (tag === "table") return make("table", ...some(() => make("tr", ...some(() => make("td", ...some(inline, 1)), 0)), 0))
    if (tag === "pre") return make("pre", ...some(inline, 1))
    if (tag === "lines") { const node = make("div", ...some(inline, 1)); node.style.whiteSpace = "pre-line"; return node }
    if (tag === "flex") { const node = make("div", ...some(block, depth - 1)); node.style.display = "grid"; return node }
    return make("div", ...some((deep) => (chance(3) ? block : inline)(deep), depth - 1))
  }
  document.body.replaceChildren(...some(block, 3))
  const wrong = []
  const squeeze = (text) => text.replace(/\\s+/g, "")
  const lines = (text) => text.split("\\n").map((line) => line.split(/\\s+/).filter(Boolean).join(" ")).filter(Boolean)
  const passage = room.passageOf(over("body"))
  const html = document.body.innerHTML
  const shown = lines(document.body.innerText)
  if (!passage) return shown.length ? [html + " read as nothing"] : []
  const read = lines(passage.text)
  if (JSON.stringify(read) !== JSON.stringify(shown)) wrong.push(html + " read as " + JSON.stringify(read) + " shown as " + JSON.stringify(shown))
  const { text } = passage
  for (let each = 0; each < 40; each += 1) {
    const start = chance(text.length), end = start + 1 + chance(text.length - start)
    const slice = text.slice(start, end)
    const range = room.rangeInPage(passage, start, end)
    const say = (what) => wrong.push(html + " [" + start + "," + end + ") " + JSON.stringify(slice) + " " + what)
    if (!slice.trim()) continue
    if (!range) say("leads nowhere")
    else if (squeeze(range.toString()) !== squeeze(slice)) say("leads to " + JSON.stringify(range.toString()))
    else if (slice.isWellFormed() && room.passageOf(range)?.text !== slice.trim()) say("comes back as " + JSON.stringify(room.passageOf(range)?.text))
  }
  return wrong
}`

const SEEN = `<main><h2 id="prices">Prices <a href="#prices">¶</a></h2>
<p>A   ticket
 costs <b>12&nbsp;euros</b>.<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">Unseen</span>
<span style="visibility:hidden">gone <i style="visibility:visible">back</i></span></p>
<pre><button>Copy</button><code>def f(x):
    return  x
</code></pre>
<ul><li>one</li><li>two <br> lines</li></ul>
<table><tr><th>Day</th><th>Opens</th></tr><tr><td>Monday</td> <td><p>nine</p></td></tr><tr><td></td><td>late</td></tr></table>
<details><summary>More</summary>folded away</details><div style="white-space:pre-line">kept
line  kept</div><p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby><img alt="picture"> <svg><title>t</title></svg></p>
<p style="display:none">none</p><div data-sensecheck-off>off</div><style>p{}</style></main>`

describe.each(BROWSERS)("the page in %s", (name) => {
  let browser: Browser
  let page: Page
  let bundle = ""

  beforeAll(async () => {
    const built = await build({
      stdin: { contents: ROOM, resolveDir: resolve(import.meta.dirname, "../../src/page"), loader: "ts" },
      bundle: true,
      format: "iife",
      globalName: "room",
      write: false,
    })
    bundle = `${built.outputFiles[0]?.text}; globalThis.room = room; ${OVER}; ${MISMATCHES}; undefined`
    browser = await launch(name)
    page = await browser.newPage()
    await page.setViewport({ width: 800, height: 600 })
  })
  afterAll(() => browser?.close())
  beforeEach(() => page.goto("about:blank"))

  const show = async (body: string) => {
    await page.setContent(`<!doctype html><html lang="en"><body>${body}</body></html>`)
    await page.evaluate(bundle)
  }

  describe("reading", () => {
    it("gives what a reader sees", async () => {
      await show(SEEN)
      expect(await page.evaluate(() => room.passageOf(over("main"))?.text)).toBe(
        [
          "Prices",
          "A ticket costs 12 euros. back",
          "def f(x):\n    return  x",
          "one",
          "two\nlines",
          "Day\tOpens",
          "Monday\tnine",
          "late",
          "More",
          "kept\nline  kept",
          "漢",
        ].join("\n\n"),
      )
    })

    it("agrees with the browser on words and lines, and every place leads back, in 300 grown pages", async () => {
      await show("")
      const wrong = await page.evaluate(() => {
        const all: string[] = []
        for (let seed = 1; seed <= 300; seed += 1) all.push(...mismatches(seed))
        return { count: all.length, first: all.slice(0, 5) }
      })
      expect(wrong).toEqual({ count: 0, first: [] })
    })

    it("finds the right one of equal sentences after the page has drawn itself again", async () => {
      const cards = ["Adults", "Children", "Groups"]
        .map((who) => `<h3>${who}</h3><p>Ask at the desk.</p>`)
        .join("")
      await show(`<main>${cards}</main>`)
      const found = await page.evaluate(() => {
        const passage = room.passageOf(over("main"))
        const main = document.querySelector("main")
        if (!passage || !main) return null
        const start = passage.text.indexOf("Ask", passage.text.indexOf("Children"))
        main.innerHTML = `<p>Something new on top.</p>${main.innerHTML}`
        const range = room.rangeInPage(passage, start, start + 16)
        const paragraph = range?.startContainer.parentElement
        return [range?.toString(), paragraph?.previousElementSibling?.textContent, paragraph?.isConnected]
      })
      expect(found).toEqual(["Ask at the desk.", "Children", true])
    })
  })

  describe("watching", () => {
    const ARTICLE = `<main><p id="one" style="margin:20px 0;font:20px/30px monospace">A ticket costs twelve euros.</p>
      <p id="two" tabindex="0" style="font:20px/30px monospace">Children pay nothing.</p></main>
      <footer><p>Imprint</p></footer><textarea id="area">some text</textarea><div id="host"></div>`
    const watch = async (scope: string) => {
      await show(ARTICLE)
      await page.evaluate((inside) => {
        globalThis.told = []
        const note = (range: Range | null) => told.push(range?.toString() ?? null)
        globalThis.stopWatching = room.watchSelection({ document, scope: inside, settle: 50 }, note)
      }, scope)
    }
    const toldAre = (count: number) =>
      page.waitForFunction((most) => told.length >= most, { timeout: 20_000 }, count)
    const rest = () => page.evaluate(() => new Promise((done) => setTimeout(done, 300)))
    const all = () => page.evaluate(() => told)
    const boxOf = (selector: string) =>
      page.evaluate((wanted) => {
        const { left, top, height } = over(wanted).getBoundingClientRect()
        return { left, middle: top + height / 2 }
      }, selector)

    it("tells a selection made by the mouse when the button is up, and its end", async () => {
      await watch("main")
      const { left, middle } = await boxOf("#one")
      await page.mouse.move(left + 1, middle)
      await page.mouse.down()
      await page.mouse.move(left + 100, middle, { steps: 4 })
      await rest()
      expect(await all()).toEqual([])
      await page.mouse.up()
      await toldAre(1)
      expect((await all())[0]).toMatch(/^A ticket/)
      await page.mouse.click(left + 1, middle + 200)
      await toldAre(2)
      expect((await all())[1]).toBeNull()
    })

    it("tells a whole paragraph although the browser ends its selection in what follows the scope", async () => {
      await watch("main")
      const { left, middle } = await boxOf("#two")
      await page.mouse.click(left + 30, middle, { count: 3 })
      await toldAre(1)
      await rest()
      expect(await all()).toEqual(["Children pay nothing."])
    })

    it("tells a selection made larger by the keyboard", async () => {
      await watch("main")
      const { left, middle } = await boxOf("#one")
      await page.mouse.click(left + 50, middle, { count: 2 })
      await page.keyboard.down("Shift")
      for (const _ of " costs") await page.keyboard.press("ArrowRight")
      await page.keyboard.up("Shift")
      await page.waitForFunction(() => told.at(-1) === "ticket costs", { timeout: 20_000 })
    })

    it("tells the cells of a table from the first to the last", async () => {
      await watch("main")
      const ranges = await page.evaluate(() => {
        const row = "<tr><td>Monday</td><td>nine</td></tr>"
        document.querySelector("main")?.insertAdjacentHTML("beforeend", `<table>${row}</table>`)
        const selection = document.getSelection()
        selection?.removeAllRanges()
        for (const cell of document.querySelectorAll("td")) {
          const range = document.createRange()
          range.selectNode(cell)
          selection?.addRange(range)
        }
        return selection?.rangeCount
      })
      await toldAre(1)
      expect(ranges).toBe(name === "Firefox" ? 2 : 1)
      expect(await all()).toEqual([name === "Firefox" ? "Mondaynine" : "Monday"])
    })

    it("tells nothing of inputs, of what is outside the scope or in a shadow, and nothing after its end", async () => {
      await watch("main")
      await page.focus("#area")
      await page.keyboard.down("Control")
      await page.keyboard.press("a")
      await page.keyboard.up("Control")
      await rest()
      await page.evaluate(() => {
        const selection = document.getSelection()
        const shadow = document.querySelector("#host")?.attachShadow({ mode: "open" })
        shadow?.append("words in a shadow")
        const first = document.querySelector("#one")?.firstChild
        if (shadow?.firstChild && first) selection?.setBaseAndExtent(first, 0, shadow.firstChild, 5)
      })
      await rest()
      await page.evaluate(() => document.getSelection()?.selectAllChildren(document.body))
      await rest()
      await page.evaluate(() => {
        stopWatching()
        document.getSelection()?.selectAllChildren(document.querySelector("#one") ?? document.body)
      })
      await rest()
      expect(await all()).toEqual([])
    })
  })

  describe("highlighting", () => {
    const LONG = `<p>line</p>`.repeat(60)
    const FAR = `<div id="box" style="height:150px;overflow:auto">${LONG}<p id="near">near</p>${LONG}</div>`
    const state = () =>
      page.evaluate(() => [...CSS.highlights].map(([key, marks]) => [key, ...[...marks].map(String)]))
    const isSeen = (selector: string) =>
      page.waitForFunction(
        (wanted) => {
          const { top, bottom } = over(wanted).getBoundingClientRect()
          const box = document.querySelector(wanted)?.closest("#box")?.getBoundingClientRect()
          const least = Math.max(0, box?.top ?? 0)
          return bottom > top && top >= least && bottom <= Math.min(innerHeight, box?.bottom ?? innerHeight)
        },
        { timeout: 20_000 },
        selector,
      )

    it("marks ranges beside those of others, and leaves nothing", async () => {
      await show(`<p id="one">first</p><p id="two">second</p>`)
      await page.evaluate(() => {
        const [mine, other] = [room.createHighlighter(document), room.createHighlighter(document)]
        mine.show([over("#one")])
        other.show([over("#one"), over("#two")])
        other.point(over("#two"))
        Object.assign(globalThis, { mine, other })
      })
      expect(await state()).toEqual([
        ["sensecheck-evidence", "first", "first", "second"],
        ["sensecheck-evidence-now", "second"],
      ])
      await page.evaluate("other.destroy()")
      expect(await state()).toEqual([["sensecheck-evidence", "first"]])
      await page.evaluate("mine.destroy()")
      expect(await state()).toEqual([])
      expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0)
    })

    it("scrolls to a range in a box that scrolls in a page that scrolls, and the focus stays", async () => {
      await show(`<button id="here">here</button>${LONG}${FAR}${LONG}`)
      await page.focus("#here")
      await page.evaluate(() => room.scrollToRange(over("#near")))
      await isSeen("#near")
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("here")
    })

    it("scrolls to the sentence, not to the block, where the block is longer than the window", async () => {
      await show(`<pre id="code">${"line\n".repeat(300)}<b id="far">here</b>${"\nline".repeat(300)}</pre>`)
      await page.evaluate(() => room.scrollToRange(over("#far")))
      await isSeen("#far")
    })

    it.each(["code", "b"])(
      "scrolls to words deep inside of code that scrolls, and leaves no attribute (%s)",
      async (tag) => {
        const code = `${"a line of code that is very long indeed\n".repeat(60)}${"word ".repeat(60)}<b>here</b>`
        const inside = tag === "b" ? code : code.replace(/<.?b>/g, "")
        await show(
          `${LONG}<pre><code style="display:block;width:300px;height:90px;overflow:auto">${inside}</code></pre>${LONG}`,
        )
        const names = await page.evaluate((last) => {
          const text = document.querySelector(last)?.lastChild as Text
          const range = document.createRange()
          range.setStart(text, text.length - 4)
          range.setEnd(text, text.length)
          room.scrollToRange(range)
          Object.assign(globalThis, { wanted: range })
          return document.querySelector(last)?.getAttributeNames()
        }, tag)
        expect(names).toEqual(tag === "b" ? [] : ["style"])
        await page.waitForFunction(
          `(() => {
          const place = wanted.getBoundingClientRect(), box = document.querySelector("code").getBoundingClientRect()
          return place.top >= Math.max(0, box.top) && place.bottom <= Math.min(innerHeight, box.bottom) + 1
            && place.left >= box.left && place.right <= box.right + 1 && place.width > 0
        })()`,
          { timeout: 20_000 },
        )
      },
    )

    it("opens what is folded around a range", async () => {
      await show(
        `${LONG}<details><summary>s</summary><details><summary>t</summary><p id="in">in</p></details></details>`,
      )
      await page.evaluate(() => room.scrollToRange(over("#in")))
      await isSeen("#in")
    })

    it("outlines the block where the browser has no highlights", async () => {
      await show(`${LONG}<p id="one">a <b>first</b></p>`)
      const outlined = await page.evaluate(() => {
        Object.defineProperty(CSS, "highlights", { value: undefined, configurable: true })
        const marks = room.createHighlighter(document)
        marks.point(over("#one b"))
        room.scrollToRange(over("#one b"))
        const paragraph = document.querySelector("#one")
        const style = paragraph ? getComputedStyle(paragraph).outlineStyle : ""
        marks.destroy()
        return [style, paragraph?.getAttributeNames()]
      })
      expect(outlined).toEqual(["solid", ["id"]])
      await isSeen("#one")
    })
  })

  if (name === "Chromium")
    it("scrolls at once for readers who want less motion, whom puppeteer can play in Chromium only", async () => {
      await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }])
      await show(`${"<p>line</p>".repeat(90)}<p id="far">far</p>${"<p>line</p>".repeat(90)}`)
      const middle = await page.evaluate(() => {
        room.scrollToRange(over("#far"))
        const { top, bottom } = over("#far").getBoundingClientRect()
        return (top + bottom) / 2
      })
      await page.emulateMediaFeatures([])
      expect(Math.abs(middle - 300)).toBeLessThan(2)
    })

  it("cuts a page into sections whose places lead back", async () => {
    await show(
      `<header>Site</header><nav>Menu</nav>${SEEN}<article><header><h2>Way</h2></header><details><summary>By bus</summary><p>Take bus 4.</p></details></article>`,
    )
    const found = await page.evaluate(() =>
      room
        .sectionsOf(document)
        .map(({ title, text, rangeOf }) => [title, text.length > 10, `${rangeOf(0, 3)}`]),
    )
    expect(found).toEqual([
      ["Prices", true, "Pri"],
      ["Way", true, "Way"],
    ])
    expect(await page.evaluate(() => room.sectionsOf(document)[1]?.text)).toBe("Way\n\nBy bus\n\nTake bus 4.")
  })
})
