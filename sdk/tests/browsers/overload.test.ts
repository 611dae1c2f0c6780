import { afterAll, beforeAll, expect, test } from "vitest"
import { ENGLISH } from "../../src/answers/strings.ts"
import { HOURS } from "./article.ts"
import { BROWSERS, launch } from "./browsers.ts"
import { announcedFor, ask, openByMouse, press, shown, until } from "./reader.ts"
import type { Service } from "./service.ts"
import { createEnvironment, type Environment } from "./setup.ts"

/** Seconds that a request may wait in the service as it comes. */
const MAX_WAIT = 2
const QUESTION = "When does the museum close?"

let environment: Environment

beforeAll(async () => {
  environment = await createEnvironment()
})
afterAll(() => environment.end())

// Both browsers at once: a service that was held still takes its time to be as quick as before.
test("in Chromium and Firefox, a service that is overloaded says so, and answers once it is not", async () => {
  const { service, proxy } = environment
  const browsers = await Promise.all(BROWSERS.map((name) => launch(name)))
  const secret = await service.newKey()
  const pages = []
  for (const browser of browsers) {
    const { page } = await environment.visit(browser, { mount: { retries: 0 } })
    await openByMouse(page, HOURS)
    pages.push(page)
  }
  const relieve = await overload(service, secret)

  for (const page of pages) {
    const said = await ask(page, QUESTION)
    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(new RegExp(`^${ENGLISH["error-busy"]} Try again in \\d+ s\\.$`))
    expect(proxy.passed.at(-1)?.status).toBe(503)
  }

  await relieve()
  for (const page of pages) {
    expect(await announcedFor(page, () => press(page, ENGLISH.again))).toHaveLength(2)
    expect(await shown(page)).toContain(HOURS)
  }
  await Promise.all(browsers.map((browser) => browser.close()))
})

/** The engine holds still until nobody would wait for it any more; undone by the returned function. */
async function overload(service: Service, secret: string): Promise<() => Promise<void>> {
  const thaw = service.freeze()
  const check = fetch(`${service.url}/v1/check`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ answer: "It is open.", sources: ["It is open."] }),
  })
  await until("too long a wait", async () => (await secondsAhead(service.url, secret)) > MAX_WAIT + 0.5)
  return async () => {
    thaw()
    expect((await check).status).toBe(200)
  }
}

async function secondsAhead(url: string, secret: string): Promise<number> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secret}` } })
  const line = (await reply.text()).match(/^sensecheck_engine_seconds_ahead (\S+)$/m)
  if (!line) throw new Error("the service does not say how much is waiting")
  return Number(line[1])
}
