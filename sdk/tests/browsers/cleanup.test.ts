import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { HOURS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { COUNT_RESOURCES, resourcesIn } from "./pageWatch.ts"
import { ask, highlighted, openByMouse, send, stopNoting } from "./reader.ts"
import { createEnvironment, type Environment } from "./setup.ts"

const CYCLES = 1000
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

  test("destroy() leaves nothing of an answer with its evidence", async () => {
    const { page, mount, end } = await unmounted(environment)
    const before = await resourcesIn(page)
    await mount()
    await openByMouse(page, HOURS)
    await ask(page, "When does the museum close?")
    expect(await highlighted(page)).not.toEqual([])
    expect(await resourcesIn(page)).not.toEqual(before)

    await stopNoting(page)
    await page.evaluate(() => handle.destroy())

    expect(await resourcesIn(page)).toEqual(before)
    await end()
  })

  test("destroy() in the middle of a question ends it, and leaves nothing", async () => {
    const { page, mount, end, watched } = await unmounted(environment)
    const before = await resourcesIn(page)
    await mount()
    await openByMouse(page, HOURS)
    environment.proxy.next({ delay: 60_000 })
    await send(page, "When does the museum close?")

    await stopNoting(page)
    await page.evaluate(() => handle.destroy())

    expect(await resourcesIn(page)).toEqual(before)
    expect((await watched()).mistakes).toEqual([])
    await end()
  })
})

test(`in Chromium, ${CYCLES} mounts do not grow the heap`, async () => {
  const chromium = await launch("Chromium")
  const { page, end } = await environment.visit(chromium, { after: "" })
  await cycles(page, 200)
  const before = await heap(page)

  await cycles(page, CYCLES)

  const grown = growth(before, await heap(page))
  await end()
  await chromium.close()
  expect(grown.Nodes).toBeLessThanOrEqual(0)
  expect(grown.JSEventListeners).toBeLessThanOrEqual(0)
  expect(grown.JSHeapUsedSize).toBeLessThan(Math.max(200_000, 0.02 * before.JSHeapUsedSize))
})

/** A page with our script in it, which is mounted when the test says so. */
async function unmounted({ visit, proxy, service }: Environment) {
  const { page, watched, end } = await visit(browser, { before: COUNT_RESOURCES, after: "" })
  const options = { endpoint: proxy.url, key: service.key }
  const mount = () =>
    page.evaluate((given) => {
      globalThis.handle = Sensecheck.mount(given)
    }, options)
  await page.evaluate(() => {
    globalThis.handle = Sensecheck.mount({ endpoint: "" }) // names that stay, such as `handle`, are there from now on
    handle.destroy()
    globalThis.announcements = undefined
    globalThis.noting = new MutationObserver(() => undefined)
  })
  return { page, mount, end, watched }
}

/** Mounted, opened and destroyed so often; every second one while its dialog is open. */
async function cycles(page: Page, count: number): Promise<void> {
  await page.evaluate((times) => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector("#hours") ?? document.body)
    for (let time = 0; time < times; time++) {
      const one = Sensecheck.mount({ endpoint: "", key: "pk_none" })
      one.open(range)
      if (time % 2) one.close()
      one.destroy()
    }
  }, count)
}

const MEASURED = ["JSHeapUsedSize", "Nodes", "JSEventListeners"] as const
type Heap = Record<(typeof MEASURED)[number], number>

async function heap(page: Page): Promise<Heap> {
  const devtools = await page.createCDPSession()
  await devtools.send("Performance.enable")
  for (let time = 0; time < 3; time++) await devtools.send("HeapProfiler.collectGarbage")
  const { metrics } = await devtools.send("Performance.getMetrics")
  await devtools.detach()
  const found = MEASURED.map((name) => [name, metrics.find((one) => one.name === name)?.value ?? Number.NaN])
  return Object.fromEntries(found) as Heap
}

function growth(before: Heap, after: Heap): Heap {
  return Object.fromEntries(MEASURED.map((name) => [name, after[name] - before[name]])) as Heap
}
