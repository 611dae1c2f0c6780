import type { Browser, Page } from "puppeteer-core"
import { ENGLISH } from "../../src/answers/strings.ts"
import { ARTICLE, GARDEN, HOURS } from "./article.ts"
import type { Hostile } from "./hostile.ts"
import { ask, hasButton, openByMouse, press, selectByMouse, send, shown, until } from "./reader.ts"
import type { Recording } from "./service.ts"
import { type Environment, type Visit, type VisitOptions, visit } from "./setup.ts"

const CLOSING = "When does the museum close?"
const INVENTED = "Tell me about the hours."
const GARDENING = "When does the garden close?"
const TICKET = "What does a ticket cost?"
const LAUNCH = "Who launched the rocket to Jupiter?"
const UNKNOWN = "What does nobody know?"
const FALLBACK = "The selected text does not contain the answer."
const LONG = Array.from({ length: 2000 }, (_, day) => `On day ${day} the tide came in.`).join(" ")

/** What the writer of the environment has to say for `STATES`. */
export const RECORDINGS: readonly Recording[] = [
  {
    question: CLOSING,
    answer: HOURS,
    pieces: ["The museum opens at 10. ", "It closes at 17:30 on weekdays."],
  },
  { question: INVENTED, answer: "The museum opens at 10. It was built by a king of Norway in 1801." },
  { question: GARDENING, answer: "The garden closes at dusk." },
  { question: TICKET, answer: FALLBACK },
  { question: LAUNCH, answer: FALLBACK },
]

export interface StateContext {
  environment: Environment
  hostile: Hostile
  /** A key that is good for one question a minute. */
  limited: string
}

/** One look that a reader can meet: how to come to it from a fresh page. */
export interface State {
  name: string
  /** Words that a reader sees in it, and in no other. */
  shows?: string
  options?: (context: StateContext) => VisitOptions & { isHostile?: boolean }
  reach(page: Page, context: StateContext): Promise<void>
}

const once = { mount: { retries: 0 } }

export const STATES: readonly State[] = [
  {
    name: "offered",
    async reach(page) {
      await selectByMouse(page, HOURS)
      await until("the button", () => hasButton(page, ENGLISH.ask))
    },
  },
  { name: "ready", reach: (page) => openByMouse(page, HOURS) },
  {
    name: "long selection",
    options: () => ({ body: ARTICLE.replace("</h1>", `</h1><p id="long">${LONG}</p>`) }),
    async reach(page) {
      await page.evaluate(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector("#long") ?? document.body)
        handle.open(range)
      })
      await until("the notice", async () => (await shown(page)).includes(ENGLISH.long))
    },
  },
  {
    name: "asking",
    async reach(page, { environment }) {
      await openByMouse(page, HOURS)
      environment.proxy.next({ delay: 60_000 })
      await send(page, CLOSING)
      await until("the sign of waiting", async () => (await shown(page)).includes(ENGLISH.looking))
    },
  },
  {
    name: "streaming",
    async reach(page, { environment }) {
      await openByMouse(page, HOURS)
      environment.proxy.next({ stall: 260 })
      await send(page, CLOSING)
      await until("the first sentence", () =>
        page.evaluate(() => widgetRoot()?.querySelector(".answer")?.textContent?.includes("opens at 10")),
      )
    },
  },
  { name: "answered", shows: ENGLISH.found, reach: (page) => asked(page, HOURS, CLOSING) },
  {
    name: "voted",
    async reach(page) {
      await asked(page, HOURS, CLOSING)
      await press(page, ENGLISH.helpful)
    },
  },
  { name: "answer cut", shows: ENGLISH.cut, reach: (page) => asked(page, HOURS, INVENTED) },
  {
    name: "suggestions",
    shows: CLOSING,
    options: () => ({ mount: { suggestions: [CLOSING, TICKET] } }),
    reach: (page) => openByMouse(page, HOURS),
  },
  {
    name: "earlier answers",
    shows: CLOSING,
    async reach(page) {
      await asked(page, HOURS, CLOSING)
      await page.keyboard.press("Escape")
      await page.evaluate(() => document.getSelection()?.removeAllRanges())
      await until("the button to go", async () => !(await hasButton(page, ENGLISH.ask)))
      await asked(page, GARDEN, GARDENING)
      await page.evaluate(() => widgetRoot()?.querySelector("summary")?.click())
    },
  },
  { name: "machine addressed", shows: ENGLISH.injection, reach: (page) => asked(page, GARDEN, GARDENING) },
  { name: "related sections", shows: ENGLISH.related, reach: (page) => asked(page, HOURS, TICKET) },
  { name: "no section", shows: ENGLISH.relatedNone, reach: (page) => asked(page, HOURS, LAUNCH) },
  {
    name: "offline",
    shows: ENGLISH["error-offline"],
    async reach(page, { environment }) {
      await openByMouse(page, HOURS)
      environment.proxy.isDown = true
      await ask(page, CLOSING)
    },
  },
  {
    name: "too slow",
    shows: ENGLISH["error-timeout"],
    options: () => ({ mount: { timeout: 300 } }),
    async reach(page, { environment }) {
      await openByMouse(page, HOURS)
      environment.proxy.next({ delay: 60_000 })
      await ask(page, CLOSING)
    },
  },
  {
    name: "connection cut",
    shows: ENGLISH["error-cut"],
    options: () => once,
    async reach(page, { environment }) {
      await openByMouse(page, HOURS)
      environment.proxy.next({ cut: 260 })
      await ask(page, CLOSING)
    },
  },
  {
    name: "limited",
    shows: ENGLISH["error-limited"],
    options: ({ limited }) => ({ mount: { key: limited } }),
    async reach(page) {
      await asked(page, HOURS, CLOSING)
      await ask(page, CLOSING)
    },
  },
  {
    name: "busy",
    shows: ENGLISH["error-busy"],
    options: () => once,
    reach: (page) => asked(page, HOURS, UNKNOWN),
  },
  {
    name: "refused",
    shows: ENGLISH["error-refused"],
    options: () => ({ ...once, isHostile: true }),
    reach: (page) => asked(page, HOURS, "problem 2"),
  },
  {
    name: "too large",
    shows: ENGLISH["error-too-large"],
    options: () => ({ ...once, isHostile: true }),
    reach: (page) => asked(page, HOURS, "problem 5"),
  },
  {
    name: "broken",
    shows: ENGLISH["error-broken"],
    options: () => ({ ...once, isHostile: true }),
    reach: (page) => asked(page, HOURS, "page 0"),
  },
]

/** A fresh page in this state. */
export async function reached(
  browser: Browser,
  context: StateContext,
  state: State,
  more: VisitOptions = {},
): Promise<Visit> {
  const { isHostile, ...options } = { ...state.options?.(context), ...more }
  const { environment, hostile } = context
  const found = isHostile
    ? await visit(browser, environment.pages, hostile.url, options)
    : await environment.visit(browser, options)
  environment.proxy.next()
  environment.proxy.isDown = false
  await state.reach(found.page, context)
  const { shows } = state
  if (shows) await until(`"${shows}"`, async () => (await shown(found.page)).includes(shows))
  return found
}

async function asked(page: Page, selection: string, question: string): Promise<void> {
  await openByMouse(page, selection)
  await ask(page, question)
}
