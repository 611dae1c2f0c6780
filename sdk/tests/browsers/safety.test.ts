import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { type Hostile, openHostile, TRICKS } from "./hostile.ts"
import { AWAY, PAYLOADS } from "./payloads.ts"
import { createEnvironment, type Environment, type Visit, visit as visitPage } from "./setup.ts"

/** What stands in the page, is asked about, and is the answer that the writer gives. */
const CASES = PAYLOADS.map((payload, number) => ({
  passage: `Entry ${number} of the list reads ${payload} and nothing else.`,
  question: `${number} ${payload.trim()}`.slice(0, 1000),
}))
const RECORDINGS = CASES.filter(({ passage }) => !/\p{Surrogate}/u.test(passage)).flatMap(
  ({ passage, question }) => forms(question).map((form) => ({ question: form, answer: passage })),
)

/** A question as it was written, as a text field keeps it, and without what nobody sees. */
function forms(question: string): string[] {
  const kept = question.replace(/\r\n?/g, "\n")
  const seen = kept.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, "")
  return [...new Set([question, kept, kept.trim(), seen, seen.trim()])]
}

let environment: Environment
let hostile: Hostile
let browser: Browser

beforeAll(async () => {
  environment = await createEnvironment({ recordings: RECORDINGS })
  hostile = await openHostile()
})
afterAll(async () => {
  await hostile.end()
  await environment.end()
})

test("there are at least 200 different payloads", () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length)
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(200)
})

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())

  test("a page that does harm is noticed: what the other tests count is counted", async () => {
    const { page, requests, watched, end } = await environment.visit(browser)
    await page.evaluate((away) => {
      canary()
      new Image().src = `${away}/blocked`
    }, AWAY)
    await expect.poll(async () => (await watched()).violations.join()).toContain("img-src")
    expect((await watched()).ran).toBe(1)
    await page.goto("about:blank")
    await page.evaluate((away) => {
      new Image().src = `${away}/seen`
    }, AWAY)
    await expect.poll(() => requests.join()).toContain(`${AWAY}/seen`)
    await end()
  })

  test("payloads that are selected, asked and answered by the real service stay text", async () => {
    const visit = await environment.visit(browser, { mount: { retries: 0, related: false } })

    const ends = await askAll(visit.page, CASES)

    const answered = ends.filter((said) => said.startsWith(ENGLISH.found)).length
    expect(ends.filter((said) => said === "")).toEqual([])
    expect(answered).toBeGreaterThanOrEqual(200)
    await mustBeUnharmed(visit, environment.proxy.url)
  })

  test.each(["answer", "problem", "page"])(
    "payloads in every %s of a hostile server stay text",
    async (kind) => {
      const visit = await atHostile()

      const ends = await askAll(visit.page, numbered(kind))

      expect(ends.filter((said) => said === "")).toEqual([])
      await mustBeUnharmed(visit, hostile.url)
    },
  )

  test("tricks of a hostile server end in an answer or in an error of ours", async () => {
    const visit = await atHostile()
    const tricks = Object.keys(TRICKS)

    const ends = await askAll(visit.page, tricks.map(about))

    const ours = Object.entries(ENGLISH).filter(([key]) => key.startsWith("error-") || key === "found")
    const odd = tricks.filter((_, at) => !ours.some(([, words]) => ends[at]?.startsWith(words)))
    expect(odd).toEqual([])
    expect(ends.join()).not.toContain("never checked")
    expect(
      hostile.asked.every((path) => /^\/v1\/(answers|related|messages\/[^/]+\/feedback)$/.test(path)),
    ).toBe(true)
    await mustBeUnharmed(visit, hostile.url)
  })

  function atHostile(): Promise<Visit> {
    return visitPage(browser, environment.pages, hostile.url, { mount: { retries: 0 } })
  }
})

async function mustBeUnharmed(visit: Visit, api: string): Promise<void> {
  const title = await visit.page.title()
  const polluted = await visit.page.evaluate(() => "polluted" in {})
  const { origin } = environment.pages
  const away = visit.requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith(`${api}/`))
  const found = { ...(await visit.watched()), title, polluted, away, dialogs: visit.dialogs }
  await visit.end()
  expect(found).toEqual({
    violations: [],
    mistakes: [],
    ran: 0,
    title: "The museum by the harbour",
    polluted: false,
    away: [],
    dialogs: [],
  })
}

function about(question: string) {
  return { passage: "The museum opens at 10. It closes at 17:30 on weekdays.", question }
}

/** One for each payload; of pages in the place of an answer, which are not even read, a few. */
function numbered(kind: string) {
  const all = PAYLOADS.map((_, number) => about(`${kind} ${number}`))
  return kind === "page" ? all.slice(0, 20) : all
}

/** Asks one question after another in one page, and then presses all that there is; how each ended. */
function askAll(page: Page, cases: readonly { passage: string; question: string }[]): Promise<string[]> {
  return page.evaluate(
    async (all, looking) => {
      const root = widgetRoot()
      const status = root?.querySelector("[role=status]")
      const field = root?.querySelector("textarea")
      if (!root || !status || !field) throw new Error("our dialog is not in the page")
      const ended = () =>
        new Promise<string>((done) => {
          const look = () => {
            const text = status.textContent ?? ""
            if (text !== "" && text !== looking) end(text)
          }
          const end = (text: string) => {
            observer.disconnect()
            clearTimeout(timer)
            done(text)
          }
          const observer = new MutationObserver(look)
          observer.observe(status, { childList: true, characterData: true, subtree: true })
          const timer = setTimeout(() => end(""), 20_000)
        })
      const ends: string[] = []
      for (const { passage, question } of all) {
        const paragraph = document.createElement("p")
        paragraph.textContent = passage
        document.querySelector("main")?.append(paragraph)
        const range = document.createRange()
        range.selectNodeContents(paragraph)
        handle.open(range)
        field.value = question
        const end = ended()
        field.form?.requestSubmit()
        ends.push(await end)
        const buttons = [...root.querySelectorAll<HTMLElement>(".result button:not(.again), .result a.mark")]
        for (const button of [...buttons.slice(0, 6), ...buttons.slice(6).slice(-4)]) button.click()
        handle.close()
        paragraph.remove()
      }
      return ends
    },
    cases,
    ENGLISH.looking,
  )
}

declare global {
  function canary(): void
}
