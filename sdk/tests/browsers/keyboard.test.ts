import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { CLOSES } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { announced, hasButton, highlighted, isOpen, noteAnnouncements, shown, until } from "./reader.ts"
import { createEnvironment, type Environment } from "./setup.ts"

const FIRST = `${ENGLISH.evidence}: 1`

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

  test("everything can be done without a mouse", async () => {
    const { page, watched, end } = await environment.visit(browser)
    await tabTo(page, () => document.activeElement?.id === "away")
    await selectAll(page)
    await until("the button", () => hasButton(page, ENGLISH.ask))

    await shortcut(page)
    await until("the dialog", () => isOpen(page))
    expect(await focused(page)).toBe(ENGLISH.question)

    await noteAnnouncements(page)
    await page.keyboard.type("When does the museum close?")
    await page.keyboard.press("Enter")
    await until("the answer", async () => (await announced(page)).length >= 2)
    expect(await announced(page)).toHaveLength(2)
    expect(await shown(page)).toContain(CLOSES)
    expect(await highlighted(page)).toContain(CLOSES)
    expect(await focused(page)).toBe(ENGLISH.question)

    await backTo(page, ENGLISH.notHelpful)
    await page.keyboard.press(" ")
    expect(await isPressed(page)).toBe(true)
    await backTo(page, FIRST)
    await page.keyboard.press("Enter")
    await until("the evidence to be pointed out", () =>
      page.evaluate(() => CSS.highlights.has("sensecheck-evidence-now")),
    )
    expect(await focused(page)).toBe(FIRST)
    await backTo(page, ENGLISH.close)

    await page.keyboard.press("Escape")
    expect(await isOpen(page)).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("away")
    expect(await page.evaluate(() => String(document.getSelection()).includes("17:30"))).toBe(true)
    expect(await highlighted(page)).toEqual([])
    expect(await watched()).toEqual({ violations: [], mistakes: [], ran: 0 })
    await end()
  })

  test("the dialog does not hold the focus: Shift+Tab leads back into the page", async () => {
    const { page, end } = await environment.visit(browser)
    await selectAll(page)
    await until("the button", () => hasButton(page, ENGLISH.ask))
    await shortcut(page)
    await until("the dialog", () => isOpen(page))

    await backTo(page, "How to get in")

    expect(await isOpen(page)).toBe(true)
    await end()
  })

  test("Shift+Enter begins a new line, and Enter alone in an empty field asks nothing", async () => {
    const { page, end } = await environment.visit(browser)
    const before = environment.proxy.passed.length
    await selectAll(page)
    await until("the button", () => hasButton(page, ENGLISH.ask))
    await shortcut(page)
    await until("the dialog", () => isOpen(page))

    await page.keyboard.press("Enter")
    await page.keyboard.type("one")
    await page.keyboard.down("Shift")
    await page.keyboard.press("Enter")
    await page.keyboard.up("Shift")
    await page.keyboard.type("two")

    expect(await page.evaluate(() => widgetRoot()?.querySelector("textarea")?.value)).toBe("one\ntwo")
    expect(environment.proxy.passed.length).toBe(before)
    await end()
  })

  test("what is selected in a field, or where readers must not ask, offers nothing", async () => {
    const { page, end } = await environment.visit(browser)
    await tabTo(page, () => document.activeElement?.id === "name")
    await page.keyboard.type("Somebody")
    await selectAll(page)
    await settle(page)
    expect(await hasButton(page, ENGLISH.ask)).toBe(false)
    await shortcut(page)
    expect(await isOpen(page)).toBe(false)

    await page.evaluate(() =>
      document.getSelection()?.selectAllChildren(document.querySelector("#off") ?? document.body),
    )
    await settle(page)
    expect(await hasButton(page, ENGLISH.ask)).toBe(false)
    await end()
  })
})

async function selectAll(page: Page): Promise<void> {
  await page.keyboard.down("Control")
  await page.keyboard.press("a")
  await page.keyboard.up("Control")
}

async function shortcut(page: Page): Promise<void> {
  await page.keyboard.down("Alt")
  await page.keyboard.down("Shift")
  await page.keyboard.press("A")
  await page.keyboard.up("Shift")
  await page.keyboard.up("Alt")
}

/** Longer than a selection has to rest before anything is offered. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)))
}

async function tabTo(page: Page, isThere: () => boolean): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Tab")
    if (await page.evaluate(isThere)) return
  }
  throw new Error("30 presses of Tab do not lead there")
}

async function backTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.down("Shift")
    await page.keyboard.press("Tab")
    await page.keyboard.up("Shift")
    const now = await focused(page)
    if (now.includes(name)) return
    passed.push(now)
  }
  throw new Error(`Shift+Tab does not lead to "${name}", but to ${passed.join(", ")}`)
}

/** What a screen reader calls what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = widgetRoot()?.activeElement ?? document.activeElement
    return active?.getAttribute("aria-label") ?? active?.textContent ?? ""
  })
}

function isPressed(page: Page): Promise<boolean> {
  return page.evaluate(() => widgetRoot()?.activeElement?.ariaPressed === "true")
}
