import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { ARTICLE_RTL } from "./article.ts"
import { BROWSERS, DESKTOP, launch, PHONE } from "./browsers.ts"
import { openHostile } from "./hostile.ts"
import { hasButton, openByMouse, selectByMouse, shown, until } from "./reader.ts"
import { shot } from "./screenshots.ts"
import { createEnvironment } from "./setup.ts"
import { RECORDINGS, reached, STATES, type State, type StateContext } from "./states.ts"

/** 1280 by 1024 pixels at 400%. */
const ZOOMED = { width: 320, height: 256 }
const LEAST = 44
/** The number of a citation stands in a sentence. */
const LEAST_INLINE = 24
/** States that differ in what can be pressed, or in how much is shown. */
const SHAPES = ["ready", "answered", "related sections", "connection cut"].map(state)

let context: StateContext
let browser: Browser

beforeAll(async () => {
  context = {
    environment: await createEnvironment({ recordings: RECORDINGS }),
    hostile: await openHostile(),
    limited: "",
  }
})
afterAll(async () => {
  await context.hostile.end()
  await context.environment.end()
})

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())

  test.each([state("offered"), ...SHAPES])(
    "$name: everything that can be pressed is 44 pixels at least, and inside of a sentence 24",
    async (one) => {
      const { page, end } = await reached(browser, context, one)
      for (const screen of [DESKTOP, PHONE]) {
        await page.setViewport(screen)
        const sizes = await targets(page)
        expect(sizes.length).toBeGreaterThan(0)
        const small = sizes.filter(({ width, height, least }) => Math.min(width, height) < least)
        expect(small).toEqual([])
      }
      await end()
    },
  )

  test.each(SHAPES)("$name: at 400% nothing is cut off, and everything can be reached", async (one) => {
    const { page, end } = await reached(browser, context, one, { screen: ZOOMED })
    expect(await cutOff(page)).toEqual([])
    expect(await unreachable(page)).toEqual([])
    await end()
  })

  test("at 400% the button beside the selection is on the screen", async () => {
    const { page, end } = await context.environment.visit(browser, { screen: ZOOMED })
    await selectByMouse(page, "The museum opens at 10.")
    await until("the button", () => hasButton(page, ENGLISH.ask))
    expect(await cutOff(page)).toEqual([])
    await end()
  })

  test("in a page that is written from right to left the dialog is, too", async () => {
    const { page, end } = await context.environment.visit(browser, {
      body: ARTICLE_RTL,
      lang: "ar",
      dir: "rtl",
    })
    await openByMouse(page, "يغلق المتحف في الساعة الخامسة والنصف.")
    const { direction, close, title } = await page.evaluate(() => {
      const left = (selector: string) =>
        widgetRoot()?.querySelector(selector)?.getBoundingClientRect().left ?? Number.NaN
      const dialog = widgetRoot()?.querySelector("[role=dialog]") ?? document.body
      return {
        direction: getComputedStyle(dialog).direction,
        close: left("header button"),
        title: left("h2"),
      }
    })
    expect(direction).toBe("rtl")
    expect(close).toBeLessThan(title)
    expect(await cutOff(page)).toEqual([])
    await end()
  })
})

describe("in Chromium, which can pretend", () => {
  beforeAll(async () => {
    browser = await launch("Chromium")
  })
  afterAll(() => browser.close())

  test("with forced colours the dialog and what can be pressed in it have edges", async () => {
    const { page, end } = await reached(browser, context, state("answered"))
    await emulate(page, "forced-colors", "active")
    const edgeless = await page.evaluate(() =>
      [
        ...(widgetRoot()?.querySelectorAll<HTMLElement>("[role=dialog], .result button, textarea, .send") ??
          []),
      ]
        .filter((node) => getComputedStyle(node).borderTopStyle === "none")
        .map((node) => node.className || node.tagName),
    )
    expect(await page.evaluate(() => matchMedia("(forced-colors: active)").matches)).toBe(true)
    expect(edgeless).toEqual([])
    await shot(page, "chromium forced colours")
    await end()
  })

  test("who wants less motion gets none", async () => {
    const { page, end } = await reached(browser, context, state("asking"))
    const moving = () => page.evaluate(() => widgetRoot()?.getAnimations().length)
    expect(await moving()).toBeGreaterThan(0)
    await emulate(page, "prefers-reduced-motion", "reduce")
    await until("everything to rest", async () => (await moving()) === 0)
    expect(await shown(page)).toContain(ENGLISH.looking)
    await end()
  })
})

function state(name: string): State {
  const found = STATES.find((one) => one.name === name)
  if (!found) throw new Error(`there is no state "${name}"`)
  return found
}

async function emulate(page: Page, name: string, value: string): Promise<void> {
  const devtools = await page.createCDPSession()
  await devtools.send("Emulation.setEmulatedMedia", { features: [{ name, value }] })
}

/** The size of all that can be pressed. */
function targets(page: Page) {
  return page.evaluate(
    (least, inline) =>
      [...(widgetRoot()?.querySelectorAll<HTMLElement>("button, textarea, a, summary") ?? [])]
        .filter((node) => node.checkVisibility())
        .map((node) => {
          const { width, height } = node.getBoundingClientRect()
          return {
            name: node.ariaLabel || node.textContent,
            width: Math.round(width),
            height: Math.round(height),
            least: node.localName === "a" ? inline : least,
          }
        }),
    LEAST,
    LEAST_INLINE,
  )
}

/** Parts of ours of which something is beyond the left or right edge of the screen, or of its own box. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(widgetRoot()?.querySelectorAll<HTMLElement>("*:not(svg, svg *, .sr-only)") ?? [])]
      .filter((node) => node.checkVisibility())
      .filter((node) => {
        const { left, right } = node.getBoundingClientRect()
        return (
          left < -0.5 ||
          right > innerWidth + 0.5 ||
          node.scrollWidth > node.clientWidth + 1 + (node.clientWidth ? 0 : 1e9)
        )
      })
      .map((node) => `${node.tagName} ${node.className}`),
  )
}

/** What can be pressed, and yet cannot be brought onto the screen, or lies below something else there. */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(widgetRoot()?.querySelectorAll<HTMLElement>("button, textarea, a, summary") ?? [])]
      .filter((node) => node.checkVisibility())
      .filter((node) => {
        node.scrollIntoView({ block: "nearest", behavior: "instant" })
        const { left, top, width, height } = node.getBoundingClientRect()
        const hit = widgetRoot()?.elementFromPoint(left + width / 2, top + height / 2)
        return !hit || !(node === hit || node.contains(hit))
      })
      .map((node) => node.ariaLabel || node.textContent || ""),
  )
}
