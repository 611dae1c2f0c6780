import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { strings as GERMAN } from "../../src/languages/de.ts"
import { strings as FRENCH } from "../../src/languages/fr.ts"
import { ARTICLE, CLOSES, HOURS, TICKETS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import {
  ask,
  hasButton,
  highlighted,
  isOpen,
  openByMouse,
  press,
  selectByMouse,
  shown,
  until,
} from "./reader.ts"
import { shot } from "./screenshots.ts"
import { createEnvironment, type Environment } from "./setup.ts"

const CLOSING = "When does the museum close?"
const OPENING = "When does the museum open?"
const PRICE = "What does a ticket cost?"
const MARKDOWN = "When is the museum open on weekdays?"
const MARKDOWN_ANSWER = `- The museum opens at 10.\n- ${CLOSES}`
const RECORDINGS = [
  { question: CLOSING, answer: CLOSES },
  { question: OPENING, answer: "The museum opens at 10." },
  { question: PRICE, answer: "A ticket costs 12 euros." },
  { question: MARKDOWN, answer: MARKDOWN_ANSWER },
]
const FIRST = `${ENGLISH.evidence}: 1`
const DOCUSAURUS = `
  :root { color-scheme: light; --ifm-color-primary: rgb(46, 133, 85); --sensecheck-accent: var(--ifm-color-primary) }
  html[data-theme=dark] { color-scheme: dark; background: #1b1b1d; color: #e3e3e3; --ifm-color-primary: rgb(37, 194, 160) }
`

let environment: Environment
let browser: Browser

beforeAll(async () => {
  environment = await createEnvironment({ recordings: RECORDINGS })
})
afterAll(() => environment.end())

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())

  test("the dialog follows a theme that the page switches, as Docusaurus does, while it is open", async () => {
    const before = `document.documentElement.dataset.theme = "light"`
    const { page, watched, end } = await environment.visit(browser, { css: DOCUSAURUS, before })
    await openByMouse(page, HOURS)
    await ask(page, CLOSING)
    expect(await colours(page)).toEqual({ scheme: "light", isDark: false, accent: "rgb(46, 133, 85)" })
    await shot(page, `${name} docusaurus light`)
    await page.evaluate(() => {
      document.documentElement.dataset["theme"] = "dark"
    })
    await until("the dark dialog", async () => (await colours(page)).isDark)
    expect(await colours(page)).toEqual({ scheme: "dark", isDark: true, accent: "rgb(37, 194, 160)" })
    await shot(page, `${name} docusaurus dark`)
    await page.evaluate(() => {
      document.documentElement.dataset["theme"] = "light"
    })
    await until("the light dialog", async () => !(await colours(page)).isDark)
    expect(await watched()).toEqual({ violations: [], mistakes: [], ran: 0 })
    await end()
  })

  test.each([
    ["a class", `document.documentElement.className = "no-js dark"`, ""],
    ["its colour scheme", "", ":root { color-scheme: dark }"],
    ["its background", "", "body { background: #101418; color: #eee }"],
  ])("the theme of a page is known by %s", async (_, before, css) => {
    const { page, end } = await environment.visit(browser, { before, css })
    await openByMouse(page, HOURS)
    expect((await colours(page)).isDark).toBe(true)
    await end()
  })

  test("an attribute of the tag fixes the theme, and sets colours and font", async () => {
    const tag = `${keys()} data-theme="dark" data-accent="rgb(1, 2, 3)" data-font="monospace"`
    const { page, end } = await environment.visit(browser, { tag, css: DOCUSAURUS })
    await openByMouse(page, HOURS)
    expect(await colours(page)).toEqual({ scheme: "dark", isDark: true, accent: "rgb(1, 2, 3)" })
    const font = () => getComputedStyle(widgetRoot()?.querySelector(".panel") ?? document.body).fontFamily
    expect(await page.evaluate(font)).toBe("monospace")
    await end()
  })

  test("the language is that of the page, and an attribute of the tag replaces it", async () => {
    for (const [lang, more, strings] of [
      ["fr-CA", "", FRENCH],
      ["fr", ' data-lang="de"', GERMAN],
    ] as const) {
      const { page, watched, end } = await environment.visit(browser, { lang, tag: keys() + more })
      await selectByMouse(page, HOURS)
      await press(page, strings.ask)
      await page.keyboard.type(CLOSING)
      await page.keyboard.press("Enter")
      await until("the answer", async () => (await shown(page)).includes(strings.found))
      expect(await hasButton(page, strings.helpful)).toBe(true)
      await shot(page, `${name} ${lang}${more ? " as de" : ""}`)
      expect(await watched()).toEqual({ violations: [], mistakes: [], ran: 0 })
      await end()
    }
  })

  test("after Esc, Tab continues from the selection, which is selected again", async () => {
    const links = ARTICLE.replace("<h1>", '<a id="first" href="#x">First</a><h1>')
    const { page, end } = await environment.visit(browser, { body: links })
    await openByMouse(page, TICKETS)
    await page.keyboard.press("Escape")
    expect(await isOpen(page)).toBe(false)
    expect(await page.evaluate(() => String(document.getSelection()).trim())).toBe(TICKETS)
    expect(await page.evaluate(() => document.querySelector("#tickets")?.getAttributeNames())).toEqual(["id"])
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("name")
    await end()
  })

  test("nothing but the script is loaded before a question, and then its second part", async () => {
    const { page, requests, watched, end } = await environment.visit(browser)
    const loaded = () => requests.map((url) => new URL(url).pathname).filter((path) => /\.js/.test(path))
    await openByMouse(page, HOURS)
    expect(loaded()).toEqual(["/sensecheck.js"])
    await ask(page, CLOSING)
    await ask(page, OPENING)
    expect(loaded()).toEqual(["/sensecheck.js", "/answers.js"])
    expect(await watched()).toEqual({ violations: [], mistakes: [], ran: 0 })
    await end()
  })

  test("earlier answers keep their evidence, also those of another selection", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    await ask(page, CLOSING)
    await ask(page, OPENING)
    const text = await shown(page)
    expect(text.indexOf(CLOSING)).toBeGreaterThan(0)
    expect(text.indexOf(OPENING)).toBeGreaterThan(text.indexOf(CLOSING))
    expect(await highlighted(page)).toEqual(["The museum opens at 10."])
    await page.evaluate(() => widgetRoot()?.querySelector<HTMLElement>(".thread .mark")?.click())
    expect(await pointedOut(page)).toEqual([CLOSES])
    await page.keyboard.press("Escape")
    await page.evaluate(() => document.getSelection()?.removeAllRanges())
    await until("the button to go", async () => !(await hasButton(page, ENGLISH.ask)))

    await openByMouse(page, TICKETS)
    await ask(page, PRICE)
    expect(await shown(page)).not.toContain(CLOSING)
    await page.evaluate(() => widgetRoot()?.querySelector("summary")?.click())
    await until("the earlier answers", async () => (await shown(page)).includes(CLOSING))
    await shot(page, `${name} history`)
    await page.evaluate(() => widgetRoot()?.querySelector<HTMLElement>("details .mark")?.click())
    expect(await pointedOut(page)).toEqual([CLOSES])
    await end()
  })

  test("the number behind a sentence is the link to its evidence", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    await ask(page, CLOSING)
    const link = await page.evaluate(() => widgetRoot()?.querySelector<HTMLAnchorElement>(".mark")?.href)
    expect(link?.split("#")[1]).toBe(`:~:text=${encodeURIComponent(CLOSES)}`)
    await press(page, FIRST)
    expect(await pointedOut(page)).toEqual([CLOSES])
    expect(await page.evaluate(() => location.hash)).toBe("")
    await end()
  })

  test("a suggested question is asked with one press", async () => {
    const { page, end } = await environment.visit(browser, { mount: { suggestions: [CLOSING, PRICE] } })
    await openByMouse(page, HOURS)
    await shot(page, `${name} suggestions`)
    await press(page, CLOSING)
    await until("the answer", async () => (await shown(page)).includes(ENGLISH.found))
    expect(await shown(page)).toContain(CLOSES)
    await end()
  })

  test("Markdown of a model is rendered as elements, with its evidence", async () => {
    const { page, end } = await environment.visit(browser)
    await openByMouse(page, HOURS)
    await ask(page, MARKDOWN)
    const found = await page.evaluate(() =>
      [...(widgetRoot()?.querySelectorAll(".result .answer > ul > li") ?? [])].map(
        (item) => item.textContent,
      ),
    )
    expect(found).toEqual(["The museum opens at 10.\u20601", `${CLOSES}\u20602`])
    expect(await highlighted(page)).toEqual(["The museum opens at 10.", CLOSES])
    await end()
  })
})

test("in Chromium, a second part that is not the one of the script is not run: the answer is plain text", async () => {
  const chromium = await launch("Chromium")
  const { page, end } = await environment.visit(chromium)
  await page.setRequestInterception(true)
  page.on("request", (request) =>
    request.url().endsWith("/answers.js")
      ? request.respond({ contentType: "text/javascript", body: "canary()" })
      : request.continue(),
  )
  await openByMouse(page, HOURS)
  await ask(page, CLOSING)
  expect(await shown(page)).toContain(CLOSES)
  expect(await page.evaluate(() => watched.ran)).toBe(0)
  await end()
  await chromium.close()
})

const keys = () => `data-key="${environment.service.key}" data-endpoint="${environment.proxy.url}"`

function colours(page: Page) {
  return page.evaluate(() => {
    const style = (selector: string) =>
      getComputedStyle(widgetRoot()?.querySelector(selector) ?? document.body)
    const [red = 255] = style(".panel").backgroundColor.match(/\d+/g)?.map(Number) ?? []
    return {
      scheme: style(".panel").colorScheme,
      isDark: red < 128,
      accent: style(".send").backgroundColor,
    }
  })
}

function pointedOut(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("sensecheck-evidence-now") ?? [])].map((range) => (range as Range).toString()),
  )
}
