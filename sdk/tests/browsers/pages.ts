import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { resolve } from "node:path"

const DIST = resolve(import.meta.dirname, "../../dist")
/** The script, what it loads with the first question, and its languages. */
const FILES = /^\/(sensecheck\.js|answers\.js|languages\/\w+\.json)$/

export interface TestPage {
  /** What stands between `<body>` and `</body>`. */
  body: string
  /** The only place that the page may talk to. */
  api: string
  lang?: string
  dir?: "ltr" | "rtl"
  /** Run before our script. */
  before?: string
  /** The attributes of our script's tag: `data-key="…"`; without any it only gives its global. */
  tag?: string
  /** Run after our script. */
  after?: string
  /** Adopted by the page, as its policy allows no style of another kind. */
  css?: string
}

/** Serves pages under a policy that allows our script, and what it asks of the API, and nothing else. */
export interface PageServer {
  origin: string
  /** The address of a new page. */
  add(page: TestPage): string
  end(): Promise<void>
}

/** What each page has from its first moment on, for the tests to look through. */
const WATCH = `
  globalThis.watched = { violations: [], mistakes: [], ran: 0 }
  globalThis.canary = () => { watched.ran += 1 }
  globalThis.widgetRoot = () => [...document.querySelectorAll("*")].find((node) => node.shadowRoot)?.shadowRoot ?? null
  addEventListener("securitypolicyviolation", (event) => watched.violations.push(
    event.effectiveDirective + " " + event.blockedURI + " " + event.sourceFile + ":" + event.lineNumber))
  addEventListener("error", (event) => watched.mistakes.push(event.message))
  addEventListener("unhandledrejection", (event) => watched.mistakes.push("unhandled: " + event.reason))
`

/** What a page noticed of itself. */
export interface Watched {
  violations: string[]
  /** Errors that nobody caught. */
  mistakes: string[]
  /** How often a text was run. */
  ran: number
}

declare global {
  var watched: Watched
  var Sensecheck: typeof import("../../src/index.ts")
  /** Everything that is ours in the page. */
  function widgetRoot(): ShadowRoot | null
}

export async function servePages(): Promise<PageServer> {
  if (!existsSync(`${DIST}/sensecheck.js`)) throw new Error(`${DIST} is missing: \`npm run build\` makes it`)
  const pages = new Map<string, TestPage>()
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    if (FILES.test(path)) {
      const type = path.endsWith(".js") ? "text/javascript" : "application/json"
      response.writeHead(200, { "content-type": type }).end(readFileSync(DIST + path))
      return
    }
    const page = pages.get(path)
    if (!page) {
      response.writeHead(404).end()
      return
    }
    const nonce = randomBytes(16).toString("base64")
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy(nonce, `${page.api} ${origin}/languages/`),
      })
      .end(markup(page, nonce))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    add(page) {
      const path = `/page-${pages.size}`
      pages.set(path, page)
      return origin + path
    },
    async end() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function policy(nonce: string, connect: string): string {
  return `default-src 'none'; script-src 'nonce-${nonce}'; connect-src ${connect}; require-trusted-types-for 'script'`
}

function markup(page: TestPage, nonce: string): string {
  const inline = (code: string) => `<script nonce="${nonce}">${code}</script>`
  return `<!doctype html>
<html lang="${page.lang ?? "en"}" dir="${page.dir ?? "ltr"}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The museum by the harbour</title>
${inline(WATCH)}
${inline(page.css ? adopted(page.css) : "")}
${inline(page.before ?? "")}
</head>
<body>
${page.body}
<script nonce="${nonce}" src="/sensecheck.js" ${page.tag ?? 'data-mount="off"'}></script>
${inline(page.after ?? "")}
</body>
</html>`
}

function adopted(css: string): string {
  return `const own = new CSSStyleSheet(); own.replaceSync(${JSON.stringify(css)}); document.adoptedStyleSheets = [own]`
}
