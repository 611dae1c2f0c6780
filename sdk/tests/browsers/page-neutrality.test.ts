import type { Browser, ElementHandle, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { ARTICLE, HOURS, TICKETS } from "./article.ts"
import { BROWSERS, launch, PHONE } from "./browsers.ts"
import {
  ask,
  hasButton,
  isOpen,
  noteAnnouncements,
  openByMouse,
  press,
  selectByMouse,
  until,
} from "./reader.ts"
import { createEnvironment, type Environment } from "./setup.ts"

/** So much before and behind the article that it can be scrolled whatever the size of the window. */
const TIDES = "<p>The tide comes in, and the tide goes out.</p>".repeat(60)
const TALL = ARTICLE.replace("<main>", `<main>${TIDES}`).replace("</main>", `${TIDES}</main>`)

let environment: Environment
let browser: Browser

beforeAll(async () => {
  environment = await createEnvironment()
})
afterAll(() => environment.end())

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())

  test("keys that are typed in our field reach no handler of the page", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    await page.evaluate(() => {
      globalThis.heard = []
      for (const type of ["keydown", "keypress", "keyup"])
        document.addEventListener(type, (event) => heard.push((event as KeyboardEvent).key))
    })
    await page.keyboard.type("when?")
    expect(await page.evaluate(() => heard)).toEqual([])
    expect(await page.evaluate(() => widgetRoot()?.querySelector("textarea")?.value)).toBe("when?")
    await page.keyboard.press("Escape")
    expect(await isOpen(page)).toBe(false)
    await page.keyboard.press("x")
    expect(await page.evaluate(() => heard)).toContain("x")
    await end()
  })

  test("a dialog that is closed keeps no key, even before the page is drawn again", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    const [before, after] = await page.evaluate(() => {
      const focused = () => widgetRoot()?.activeElement?.tagName ?? null
      const before = focused()
      handle.close()
      return [before, focused()]
    })
    expect(before).toBe("TEXTAREA")
    expect(after).not.toBe("TEXTAREA")
    await end()
  })

  test("the shortcut stays with whoever writes in a field of the page", async () => {
    const body = ARTICLE.replace("</main>", '<p id="note" contenteditable>A note of my own.</p></main>')
    const { page, end } = await environment.visit(browser, { body })
    await selectByMouse(page, HOURS)
    await until("the button", () => hasButton(page, ENGLISH.ask))
    for (const field of ["#name", "#note"]) {
      await page.evaluate((selector) => {
        const { target, key } = { target: document.querySelector<HTMLElement>(selector), key: "A" }
        if (!target) throw new Error(`${selector} is not in the page`)
        const init = { key, code: "KeyA", altKey: true, shiftKey: true, bubbles: true, composed: true }
        target.dispatchEvent(new KeyboardEvent("keydown", init))
      }, field)
      expect(await isOpen(page)).toBe(false)
    }
    await page.evaluate(() => {
      const init = { key: "A", code: "KeyA", altKey: true, shiftKey: true, bubbles: true, composed: true }
      document.body.dispatchEvent(new KeyboardEvent("keydown", init))
    })
    expect(await isOpen(page)).toBe(true)
    await end()
  })

  test("what a reader writes in the page is not sent with its sections", async () => {
    const body = ARTICLE.replace("</main>", "<p contenteditable>My ticket is number 4711.</p></main>")
    const { page, end } = await environment.visit(browser, { body })
    await openByMouse(page, HOURS)
    const before = environment.proxy.passed.length
    await ask(page, "What does a ticket cost?")
    const related = environment.proxy.passed.slice(before).find(({ path }) => path === "/v1/related")
    expect(related?.body).toContain(TICKETS)
    expect(related?.body).not.toContain("4711")
    await end()
  })

  test("a window that changes its size scrolls the page below a sheet only for a keyboard", async () => {
    const { page, end } = await environment.visit(browser, { body: TALL, screen: PHONE })
    await openByMouse(page, HOURS)
    await page.evaluate(() => {
      const { top = 0 } = document.querySelector("#hours")?.getBoundingClientRect() ?? {}
      scrollBy({ top: top - innerHeight + 100, behavior: "instant" })
    })
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    const before = await scrolled()
    await page.setViewport({ ...PHONE, height: PHONE.height - 60 })
    await drawn(page)
    await page.setViewport(PHONE)
    await drawn(page)
    expect(await scrolled()).toBe(before)

    await page.setViewport({ ...PHONE, height: PHONE.height - 300 })
    await until("the page to be scrolled", async () => (await scrolled()) > before)
    await end()
  })

  test("a page's own properties change nothing of ours, and our own do", async () => {
    const css = "*{--accent:red!important;--bg:red!important;--scheme:dark!important}"
    const plain = await environment.visit(browser)
    await openByMouse(plain.page, HOURS)
    const other = await environment.visit(browser, { css })
    await openByMouse(other.page, HOURS)
    const themed = await environment.visit(browser, {
      css: ":root{--sensecheck-accent:rgb(1,2,3);--sensecheck-background:rgb(4,5,6)}",
    })
    await openByMouse(themed.page, HOURS)
    const [wanted, found, own] = [
      await colours(plain.page),
      await colours(other.page),
      await colours(themed.page),
    ]
    expect(found).toEqual(wanted)
    expect(wanted.background).not.toMatch(/, 0\)$|transparent/)
    expect(own).toEqual({ ...wanted, accent: "rgb(1, 2, 3)", background: "rgb(4, 5, 6)" })
    for (const { end } of [plain, other, themed]) await end()
  })

  test("a click on what is no field keeps the focus in the dialog", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    const title = await page.evaluateHandle(() => widgetRoot()?.querySelector("h2") ?? document.body)
    await (title.asElement() as ElementHandle<Element> | null)?.click()
    await page.keyboard.press("Escape")
    expect(await isOpen(page)).toBe(false)
    await end()
  })

  test("the evidence is not covered when the page has come to rest, and later the dialog stays", async () => {
    const { page, end } = await environment.visit(browser, { body: TALL })
    await openByMouse(page, HOURS)
    await ask(page, "When does the museum close?")
    await page.evaluate(() => scrollTo({ top: 300, behavior: "instant" }))
    await drawn(page)
    await page.evaluate(() => {
      globalThis.hasRested = false
      document.addEventListener("scrollend", () => {
        globalThis.hasRested = true
      })
    })
    await press(page, `${ENGLISH.evidence}: 1`)
    await until("the page to rest", () => page.evaluate(() => hasRested))
    expect(await isUncovered(page)).toBe(true)
    await drawn(page)
    const place = () =>
      page.evaluate(() => widgetRoot()?.querySelector("[role=dialog]")?.getBoundingClientRect().toJSON())
    const before = await place()
    await page.evaluate(() => scrollBy({ top: -80, behavior: "instant" }))
    await drawn(page)
    await page.evaluate(() => scrollBy({ top: 160, behavior: "instant" }))
    await drawn(page)
    expect(await place()).toEqual(before)
    await end()
  })
})

describe("in Chromium, which can pretend", () => {
  beforeAll(async () => {
    browser = await launch("Chromium")
  })
  afterAll(() => browser.close())

  test("nothing of ours is printed", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    await page.emulateMediaType("print")
    expect(await isOpen(page)).toBe(false)
    await page.emulateMediaType("screen")
    expect(await isOpen(page)).toBe(true)
    await end()
  })

  test("with a finger, the keyboard does not stay over the answer", async () => {
    const { page, end } = await environment.visit(browser)
    await page.setViewport({ ...PHONE, isMobile: true, hasTouch: true })
    expect(await page.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(true)
    await page.evaluate(() => {
      const range = document.createRange()
      range.selectNodeContents(document.querySelector("#hours") ?? document.body)
      handle.open(range)
    })
    const focused = () =>
      page.evaluate(() => widgetRoot()?.activeElement?.className || widgetRoot()?.activeElement?.tagName)
    expect(await focused()).toBe("TEXTAREA")
    await noteAnnouncements(page)
    await ask(page, "When does the museum close?")
    expect(await focused()).toMatch(/panel/)
    await end()
  })
})

function colours(page: Page) {
  return page.evaluate(() => {
    const style = (selector: string) =>
      getComputedStyle(widgetRoot()?.querySelector(selector) ?? document.body)
    return {
      accent: style(".send").backgroundColor,
      background: style(".panel").backgroundColor,
      text: style(".panel").color,
    }
  })
}

/** Whether the marked evidence is on the screen, and nothing of ours lies over it. */
function isUncovered(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get("sensecheck-evidence-now") ?? [])] as Range[]
    const one = range?.getBoundingClientRect()
    const other = widgetRoot()?.querySelector("[role=dialog]")?.getBoundingClientRect()
    if (!one || !other || one.top < 0 || one.bottom > innerHeight) return false
    return (
      one.left > other.right || one.right < other.left || one.top > other.bottom || one.bottom < other.top
    )
  })
}

/** Long enough for what a scroll or a new size brings about. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 12; frames++) await new Promise((done) => requestAnimationFrame(done))
  })
}

declare global {
  var heard: string[]
  var hasRested: boolean
}
