import { afterEach, beforeEach, expect, test } from "vitest"
import { ENGLISH } from "../answers/strings.ts"
import { loadLanguage } from "./load.ts"
import { mount } from "./mount.ts"
import type { Handle, MountOptions } from "./options.ts"

const CODES = ["de", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh"]
let handle: Handle

beforeEach(() => {
  document.body.innerHTML = "<p>The museum closes at 17:30.</p>"
})
afterEach(() => {
  handle?.destroy()
  document.documentElement.removeAttribute("lang")
})

async function title(options: Partial<MountOptions> = {}) {
  handle = mount({ endpoint: "", ...options })
  for (let turn = 0; !host() && turn < 500; turn++) await new Promise((done) => setTimeout(done, 2))
  return [host()?.shadowRoot?.querySelector("h2")?.textContent, host()?.lang]
}
const host = () => document.querySelector<HTMLElement>("[data-sensecheck-off]")

test.each(CODES)("%s has every text, and each is its own", async (code) => {
  const strings = await loadLanguage(code)
  expect(Object.keys(strings ?? {})).toEqual(expect.arrayContaining(Object.keys(ENGLISH)))
  expect(Object.keys(strings ?? {})).toHaveLength(Object.keys(ENGLISH).length)
  for (const [name, text] of Object.entries(strings ?? {})) {
    expect([name, text.trim()]).not.toEqual([name, ""])
    expect([name, text]).not.toEqual([name, ENGLISH[name as keyof typeof ENGLISH]])
  }
  expect(strings?.wait).toContain("{n}")
})

test("a language that is not there is none", async () => {
  expect(await loadLanguage("xx")).toBeUndefined()
})

test("the page's language is used, in any of its forms", async () => {
  document.documentElement.lang = "de-AT"
  expect(await title()).toEqual(["Dazu fragen", "de-AT"])
  handle.destroy()
  document.documentElement.lang = "ZH-Hans"
  expect(await title()).toEqual(["就此提问", "ZH-Hans"])
})

test("an option replaces the page's language, and texts replace those of a language", async () => {
  document.documentElement.lang = "de"
  expect(await title({ lang: "fr", strings: { close: "Terminer" } })).toEqual(["Poser une question", "fr"])
  expect(host()?.shadowRoot?.querySelector("header button")?.ariaLabel).toBe("Terminer")
})

test("a language that the widget does not have is English, and says so", async () => {
  document.documentElement.lang = "sv"
  expect(await title()).toEqual([ENGLISH.ask, "en"])
  handle.destroy()
  expect(await title({ strings: { ask: "Fråga om detta" } })).toEqual(["Fråga om detta", "sv"])
  handle.destroy()
  document.documentElement.lang = "delta"
  expect((await title())[0]).toBe(ENGLISH.ask)
})

test("what is opened or removed before the language is there, is opened or never comes", async () => {
  document.documentElement.lang = "it"
  handle = mount({ endpoint: "" })
  const range = document.createRange()
  range.selectNodeContents(document.body)
  handle.open(range)
  for (let turn = 0; !host() && turn < 500; turn++) await new Promise((done) => setTimeout(done, 2))
  await new Promise((done) => setTimeout(done, 2))
  expect(host()?.shadowRoot?.querySelector<HTMLElement>("[role=dialog]")?.hidden).toBe(false)
  handle.destroy()
  handle = mount({ endpoint: "" })
  handle.destroy()
  await new Promise((done) => setTimeout(done, 50))
  expect(host()).toBeNull()
})
