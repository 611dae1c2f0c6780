import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { HOURS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { COUNT, leftIn } from "./counting.ts"
import { ask, highlighted, openByMouse, send, stopNoting } from "./reader.ts"
import { type Stage, setStage } from "./stage.ts"

const CYCLES = 1000
let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

describe.each(BROWSERS)("in %s", (name) => {
  beforeAll(async () => {
    browser = await launch(name)
  })
  afterAll(() => browser.close())

  test("destroy() leaves nothing of an answer with its evidence", async () => {
    const { page, mount, end } = await unmounted(stage)
    const before = await leftIn(page)
    await mount()
    await openByMouse(page, HOURS)
    await ask(page, "When does the museum close?")
    expect(await highlighted(page)).not.toEqual([])
    expect(await leftIn(page)).not.toEqual(before)

    await stopNoting(page)
    await page.evaluate(() => handle.destroy())

    expect(await leftIn(page)).toEqual(before)
    await end()
  })

  test("destroy() in the middle of a question ends it, and leaves nothing", async () => {
    const { page, mount, end, watched } = await unmounted(stage)
    const before = await leftIn(page)
    await mount()
    await openByMouse(page, HOURS)
    stage.wire.next({ delay: 60_000 })
    await send(page, "When does the museum close?")

    await stopNoting(page)
    await page.evaluate(() => handle.destroy())

    expect(await leftIn(page)).toEqual(before)
    expect((await watched()).mistakes).toEqual([])
    await end()
  })
})

test(`in Chromium, ${CYCLES} mounts do not grow the heap`, async () => {
  const chromium = await launch("Chromium")
  const { page, end } = await stage.visit(chromium, { after: "" })
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
async function unmounted({ visit, wire, service }: Stage) {
  const { page, watched, end } = await visit(browser, { before: COUNT, after: "" })
  const options = { endpoint: wire.url, key: service.key }
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
