import type { Browser, Page } from "puppeteer-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { HOURS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { announcedFor, ask, openByMouse, press, send, shown } from "./reader.ts"
import { createEnvironment, type Environment, type Visit, type VisitOptions } from "./setup.ts"

const QUESTION = "When does the museum close?"
const UNKNOWN = "What does nobody know?"
const INVENTED = "Tell me about the hours."
const RECORDINGS = [
  { question: QUESTION, answer: HOURS, pieces: [...(HOURS.match(/.{1,9}/g) ?? [])], pause_ms: 5 },
  { question: INVENTED, answer: "The museum opens at 10. It was built by a king of Norway in 1801." },
]

let environment: Environment
let browser: Browser
let visit: Visit

beforeAll(async () => {
  environment = await createEnvironment({ recordings: RECORDINGS })
})
afterAll(() => environment.end())

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    environment.proxy.next()
    environment.proxy.isDown = false
    const found = await visit.watched()
    await visit.end()
    expect(found).toEqual({ violations: [], mistakes: [], ran: 0 })
  })

  async function opened(options?: VisitOptions): Promise<Page> {
    visit = await environment.visit(browser, options)
    await openByMouse(visit.page, HOURS)
    return visit.page
  }

  test("nobody is there: it is said, and asking again works", async () => {
    const page = await opened()
    environment.proxy.isDown = true

    const said = await ask(page, QUESTION)

    expect(said).toEqual([ENGLISH.looking, ENGLISH["error-offline"]])
    expect(await shown(page)).toContain(ENGLISH["error-offline"])
    environment.proxy.isDown = false
    expect(await announcedFor(page, () => press(page, ENGLISH.again))).toHaveLength(2)
    expect(await shown(page)).toContain(HOURS)
  })

  test("a service that does not begin in time is given up", async () => {
    const page = await opened({ mount: { timeout: 400 } })
    environment.proxy.next({ delay: 30_000 })

    expect(await ask(page, QUESTION)).toEqual([ENGLISH.looking, ENGLISH["error-timeout"]])
  })

  test("a slow line brings the answer in the end, letter by letter", async () => {
    const page = await opened()
    await noteAnswers(page)
    environment.proxy.next({ drip: 11 })

    const said = await ask(page, QUESTION)

    expect(said).toEqual([ENGLISH.looking, `${ENGLISH.found}: ${HOURS}`])
    await mustHaveGrown(page)
  })

  test("the limit of a key is said with how long to wait, and nothing is sent again by itself", async () => {
    const { origin } = environment.pages
    const key = await environment.service.newKey("--publishable", "--origin", origin, "--per-minute", "1")
    const page = await opened({ mount: { key } })
    await ask(page, QUESTION)
    const before = environment.proxy.passed.length

    const said = await ask(page, QUESTION)

    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(new RegExp(`^${ENGLISH["error-limited"]} Try again in \\d+ s\\.$`))
    expect(environment.proxy.passed.slice(before).map((one) => one.status)).toEqual([429])
  })

  test("a writer that fails in the middle is told by the stream", async () => {
    const page = await opened({ mount: { retries: 0 } })

    const said = await ask(page, UNKNOWN)

    expect(said).toHaveLength(2)
    expect(said[1]).toContain(ENGLISH["error-busy"])
    expect(environment.proxy.passed.at(-1)?.status).toBe(200)
  })

  test("what the passage does not hold is cut off, and said to be", async () => {
    const page = await opened()

    const said = await ask(page, INVENTED)

    const text = await shown(page)
    expect(said).toHaveLength(2)
    expect(text).toContain("The museum opens at 10.")
    expect(text).toContain(ENGLISH.cut)
    expect(text).not.toContain("Norway")
  })

  test.each([3, 130, 220, 280, 420])(
    "cut after %i bytes, the answer is taken up, and comes once",
    async (cut) => {
      const page = await opened()
      await noteAnswers(page)
      environment.proxy.next({ cut })
      const before = environment.proxy.passed.length

      const said = await ask(page, QUESTION)

      expect(said).toEqual([ENGLISH.looking, `${ENGLISH.found}: ${HOURS}`])
      await mustHaveGrown(page)
      const names = environment.proxy.passed.slice(before).map((one) => one.headers["idempotency-key"])
      expect(names.length).toBeGreaterThanOrEqual(2)
      expect(new Set(names).size).toBe(1)
    },
  )

  test("a line that falls silent is taken up again, from where it was", async () => {
    const page = await opened({ mount: { idleTimeout: 600 } })
    await noteAnswers(page)
    environment.proxy.next({ stall: 260 })

    const said = await ask(page, QUESTION)

    expect(said).toEqual([ENGLISH.looking, `${ENGLISH.found}: ${HOURS}`])
    await mustHaveGrown(page)
    expect(environment.proxy.passed.at(-1)?.headers["last-event-id"]).toMatch(/^\d+$/)
  })

  test("cut for good: what came stays, and the loss is said", async () => {
    const page = await opened()
    environment.proxy.next({ cut: 260 }, { cut: 260 }, { cut: 260 })

    const said = await ask(page, QUESTION)

    expect(said).toEqual([ENGLISH.looking, ENGLISH["error-cut"]])
    expect(await shown(page)).toContain("The museum opens at 10.")
  })

  test("closing gives up what is under way, and says nothing more", async () => {
    const page = await opened()
    environment.proxy.next({ delay: 500 })
    await send(page, QUESTION)

    await press(page, ENGLISH.close)
    await openByMouse(page, HOURS)

    expect(await announcedFor(page, () => send(page, QUESTION))).toHaveLength(2)
    expect(await shown(page)).toContain(HOURS)
  })
})

/** From now on each text is noted that a reader sees of an answer while it comes. */
async function noteAnswers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const texts: string[] = []
    globalThis.answers = texts
    const note = () => {
      const text = widgetRoot()?.querySelector(".answer:has(~ .progress)")?.textContent
      if (text && text !== texts.at(-1)) texts.push(text)
    }
    const root = widgetRoot()
    if (root)
      new MutationObserver(note).observe(root, { childList: true, characterData: true, subtree: true })
  })
}

/** Each text was a beginning of the next, and of the answer: nothing came twice, or was taken back. */
async function mustHaveGrown(page: Page): Promise<void> {
  const texts = await page.evaluate(() => globalThis.answers)
  expect(texts).not.toEqual([])
  expect([...texts, HOURS].filter((text, at) => at > 0 && !text.startsWith(texts[at - 1] ?? ""))).toEqual([])
}

declare global {
  var answers: string[]
}
