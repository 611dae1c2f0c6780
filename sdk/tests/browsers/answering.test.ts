import type { Browser } from "puppeteer-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { CLOSES, GARDEN, HOURS, TICKETS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { ask, highlighted, openByMouse, press, shown, until } from "./reader.ts"
import { createEnvironment, type Environment, type Visit } from "./setup.ts"

let environment: Environment
let secret: string
let browser: Browser
let visit: Visit

beforeAll(async () => {
  environment = await createEnvironment()
  secret = await environment.service.newKey()
})
afterAll(() => environment.end())

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    const found = await visit.watched()
    await visit.end()
    expect(found).toEqual({ violations: [], mistakes: [], ran: 0 })
  })

  test("one script tag: select, ask, and the answer's evidence is highlighted in the page", async () => {
    const tag = `data-key="${environment.service.key}" data-endpoint="${environment.proxy.url}" data-scope="main"`
    visit = await environment.visit(browser, { tag })

    await openByMouse(visit.page, HOURS)
    const said = await ask(visit.page, "When does the museum close?")

    expect(said).toHaveLength(2)
    expect(await shown(visit.page)).toContain(CLOSES)
    expect(await highlighted(visit.page)).toContain(CLOSES)
  })

  test("a second question is asked in the same dialog, and has its own evidence", async () => {
    visit = await environment.visit(browser)
    await openByMouse(visit.page, TICKETS)
    await ask(visit.page, "What does a ticket cost?")
    const first = await highlighted(visit.page)

    const said = await ask(visit.page, "What do children under six pay?")

    expect(said).toHaveLength(2)
    expect(await shown(visit.page)).toContain("Children under six pay nothing.")
    expect(first).toContain("A ticket costs 12 euros.")
    expect(await highlighted(visit.page)).toContain("Children under six pay nothing.")
  })

  test("what the selection does not answer gets the reason, and a section that does is offered", async () => {
    visit = await environment.visit(browser)
    await openByMouse(visit.page, HOURS)

    const said = await ask(visit.page, "What does a ticket cost?")

    const text = await shown(visit.page)
    expect(said).toHaveLength(2)
    expect(text).toContain("does not contain the answer")
    expect(text).toMatch(/does not mention: .*ticket/)
    expect(text).toContain("Getting in")
    expect(await highlighted(visit.page)).toEqual([])

    await press(visit.page, "Getting in")
    await until("the answer of that section", async () => (await shown(visit.page)).includes("12 euros"))
    await until("its evidence", async () =>
      (await highlighted(visit.page)).includes("A ticket costs 12 euros."),
    )
  })

  test("a selection that speaks to a machine is said to, and is not obeyed", async () => {
    visit = await environment.visit(browser)
    await openByMouse(visit.page, GARDEN)

    await ask(visit.page, "When does the garden close?")

    const text = await shown(visit.page)
    expect(text).toContain("The garden closes at dusk.")
    expect(text).toContain("Instructions to an AI were ignored.")
    expect(await highlighted(visit.page)).toEqual(["The garden closes at dusk."])
  })

  test("a vote is kept by the service, and can be changed", async () => {
    visit = await environment.visit(browser)
    const before = await votes()
    await openByMouse(visit.page, HOURS)
    await ask(visit.page, "When does the museum open?")

    await press(visit.page, "Helpful")
    await until("the first vote", async () => (await votes()).up === before.up + 1)
    await press(visit.page, "Not helpful")
    await until("the second vote", async () => (await votes()).down === before.down + 1)

    const sent = environment.proxy.passed.filter((one) => one.path.endsWith("/feedback")).slice(-2)
    expect(sent.map((one) => one.status)).toEqual([204, 204])
    expect((await votes()).up).toBe(before.up)
  })
})

async function votes(): Promise<{ up: number; down: number }> {
  const headers = { authorization: `Bearer ${secret}` }
  const reply = await fetch(`${environment.service.url}/v1/stats`, { headers })
  const { feedback } = (await reply.json()) as { feedback: Record<string, number> }
  return { up: feedback["up"] ?? 0, down: feedback["down"] ?? 0 }
}
