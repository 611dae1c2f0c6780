import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults, RunOptions } from "axe-core"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { DESKTOP, launch, PHONE } from "./browsers.ts"
import { openHostile } from "./hostile.ts"
import { shot } from "./screenshots.ts"
import { createEnvironment } from "./setup.ts"
import { RECORDINGS, reached, STATES, type StateContext } from "./states.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
const SCREENS = { desktop: DESKTOP, phone: PHONE }
const SCHEMES = ["light", "dark"] as const
type Scheme = (typeof SCHEMES)[number]
/** Errors differ in their words alone; in Firefox, which takes longest, one of them is looked at in the dark. */
const WORDS_OF_ERRORS = Object.entries(ENGLISH).flatMap(([key, words]) =>
  key.startsWith("error-") ? words : [],
)
const DIFFERENT = STATES.filter(
  ({ shows }) => shows === ENGLISH["error-offline"] || !WORDS_OF_ERRORS.includes(shows ?? ""),
)

let context: StateContext

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

describe("in Chromium", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch("Chromium")
    context.limited = await limitedKey()
  })
  afterAll(() => browser.close())

  test.each(STATES)("$name: no violation, in light and dark, on a desktop and on a phone", async (state) => {
    const { page, end } = await reached(browser, context, state)
    const found: string[] = []
    for (const [device, screen] of Object.entries(SCREENS)) {
      await page.setViewport(screen)
      for (const scheme of SCHEMES) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
        await still(page)
        await shot(page, `chromium ${device} ${scheme} ${state.name}`)
        found.push(...(await violations(page)).map((one) => `${device} ${scheme}: ${one}`))
      }
    }
    await end()
    expect(found).toEqual([])
  })
})

describe.each(SCHEMES)("in Firefox, %s", (scheme: Scheme) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch("Firefox", scheme)
    context.limited = await limitedKey()
  })
  afterAll(() => browser.close())

  test.each(scheme === "light" ? STATES : DIFFERENT)("$name: no violation", async (state) => {
    const { page, end } = await reached(browser, context, state)
    expect(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)).toBe(
      scheme === "dark",
    )
    await still(page)
    if (scheme === "light") await shot(page, `firefox desktop light ${state.name}`)
    const found = await violations(page)
    await end()
    expect(found).toEqual([])
  })
})

test("a page with a mistake in it is found to have one", async () => {
  const browser = await launch("Chromium")
  const { page, end } = await context.environment.visit(browser, {
    body: "<main><h1>x</h1><img src=x></main>",
  })
  expect((await violations(page)).join()).toContain("image-alt")
  await end()
  await browser.close()
})

/** What axe finds in the whole page, ours included. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const options: RunOptions = { runOnly: { type: "tag", values: RULES }, resultTypes: ["violations"] }
  const results = await page.evaluate((given) => {
    const { axe } = globalThis as unknown as {
      axe: { run(all: Document, o: RunOptions): Promise<AxeResults> }
    }
    return axe.run(document, given)
  }, options)
  return results.violations.map(
    ({ id, nodes }) =>
      `${id} at ${nodes.map((node) => `${node.target.join(" ")} (${node.any[0]?.message})`).join(", ")}`,
  )
}

/** Everything is drawn as it now should be. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

function limitedKey(): Promise<string> {
  const { service, pages } = context.environment
  return service.newKey("--publishable", "--origin", pages.origin, "--per-minute", "1")
}
