import { existsSync } from "node:fs"
import puppeteer, { type Browser, type Page } from "puppeteer-core"

export type BrowserName = "Chromium" | "Firefox"
export const BROWSERS: readonly BrowserName[] = ["Chromium", "Firefox"]

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
]
const KNOWN = {
  Chromium: {
    browser: "chrome",
    variable: "SENSECHECK_CHROMIUM",
    path: "/usr/bin/chromium",
    package: "chromium",
    args: [...QUIET, "--disable-sync", "--hide-scrollbars"],
  },
  Firefox: {
    browser: "firefox",
    variable: "SENSECHECK_FIREFOX",
    path: "/usr/bin/firefox-esr",
    package: "firefox-esr",
    args: [],
  },
} as const

/** A real browser, as the distribution packs it. Firefox takes its colours from its start on. */
export function launch(name: BrowserName, scheme: "light" | "dark" = "light"): Promise<Browser> {
  const known = KNOWN[name]
  const executablePath = process.env[known.variable] ?? known.path
  if (!existsSync(executablePath))
    throw new Error(
      `${name} is not at ${executablePath}: install it (apt install ${known.package}), ` +
        `or name its program in ${known.variable}`,
    )
  const extraPrefsFirefox = {
    "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
    "browser.chrome.site_icons": false, // it would ask for an icon that the page's policy does not allow
  }
  const args = [...known.args]
  return puppeteer.launch({ browser: known.browser, executablePath, args, extraPrefsFirefox, headless: true })
}

export interface Screen {
  width: number
  height: number
}
export const DESKTOP: Screen = { width: 1280, height: 800 }
export const PHONE: Screen = { width: 390, height: 844 }

/** A new page of this size; errors that nobody in it catches are gathered in `mistakes`. */
export async function newPage(
  browser: Browser,
  screen = DESKTOP,
): Promise<{ page: Page; mistakes: string[] }> {
  const page = await browser.newPage()
  await page.setViewport(screen)
  const mistakes: string[] = []
  page.on("pageerror", (error) => mistakes.push(String(error)))
  return { page, mistakes }
}
