import type { Browser, Page } from "puppeteer-core"
import type { MountOptions } from "../../src/widget/options.ts"
import { ARTICLE, LOOK } from "./article.ts"
import { DESKTOP, newPage, type Screen } from "./browsers.ts"
import { type PageServer, servePages, type TestPage, type Watched } from "./pages.ts"
import { type FaultProxy, startProxy } from "./proxy.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"

/** A visit of a page in which our script runs. */
export interface Visit {
  page: Page
  /** Every address that was asked for. */
  requests: string[]
  /** What was asked of the reader in a window of the browser's own. */
  dialogs: string[]
  watched(): Promise<Watched>
  end(): Promise<void>
}

export interface VisitOptions extends Partial<TestPage> {
  screen?: Screen
  /** Given to `mount`, with the endpoint and the key of the environment. */
  mount?: Partial<MountOptions>
}

/** Pages, the real service, and the proxy between them. */
export interface Environment {
  pages: PageServer
  service: Service
  proxy: FaultProxy
  visit(browser: Browser, options?: VisitOptions): Promise<Visit>
  end(): Promise<void>
}

export async function createEnvironment(options: Omit<ServiceOptions, "origin"> = {}): Promise<Environment> {
  const pages = await servePages()
  const service = await startService({ ...options, origin: pages.origin })
  const proxy = await startProxy(service.url)
  return {
    pages,
    service,
    proxy,
    visit: (browser, { mount, ...options } = {}) =>
      visit(browser, pages, proxy.url, { ...options, mount: { key: service.key, ...mount } }),
    async end() {
      await proxy.end()
      await service.end()
      await pages.end()
    },
  }
}

/** Opens a page of which the article is the text, and `api` the endpoint. */
export async function visit(
  browser: Browser,
  pages: PageServer,
  api: string,
  { screen = DESKTOP, mount, ...options }: VisitOptions,
): Promise<Visit> {
  const { page } = await newPage(browser, screen)
  const requests: string[] = []
  page.on("request", (request) => requests.push(request.url()))
  const dialogs: string[] = []
  page.on("dialog", async (dialog) => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  const mounting = `globalThis.handle = Sensecheck.mount(${JSON.stringify({ endpoint: api, ...mount })})`
  const after = options.tag === undefined ? mounting : ""
  await page.goto(pages.add({ body: ARTICLE, css: LOOK, after, ...options, api }))
  return {
    page,
    requests,
    dialogs,
    watched: () => page.evaluate(() => watched),
    end: () => page.close(),
  }
}

declare global {
  var handle: ReturnType<typeof Sensecheck.mount>
}
