import { afterEach, beforeEach, expect, test } from "vitest"
import { ENGLISH } from "../answers/strings.ts"
import { defineElement } from "./element.ts"
import { mount } from "./mount.ts"
import type { Handle, MountOptions } from "./options.ts"

const SENTENCE = "The museum closes at 17:30."
const ANSWER = {
  id: "m1",
  decision: "accepted",
  answer: SENTENCE,
  in_selected_text: true,
  claims: [
    {
      text: SENTENCE,
      start: 0,
      end: SENTENCE.length,
      evidence: [{ where: "passages[0]", start: 0, end: SENTENCE.length, text: SENTENCE }],
    },
  ],
  injections: [],
  missing: [],
  stored: true,
}
const NONE = {
  ...ANSWER,
  decision: "no-answer",
  answer: "The selected text does not contain the answer.",
  in_selected_text: false,
  claims: [],
  missing: ["ticket"],
}

type Sent = { path: string; body: Record<string, unknown> }
type Replies = Record<string, (sent: Sent) => Response | Promise<Response>>

const events = (...told: [string, unknown][]) =>
  new Response(told.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""), {
    headers: { "Content-Type": "text/event-stream" },
  })
const answered = (reply: { answer: string; in_selected_text: boolean }) => () =>
  events(
    ["start", {}],
    ...(reply.in_selected_text
      ? [["delta", { text: reply.answer, checked: true }] as [string, unknown]]
      : []),
    ["end", reply],
  )

let handle: Handle
let sent: Sent[]

function start(replies: Replies, options: Partial<MountOptions> = {}) {
  sent = []
  // Only the network is replaced.
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    const one = { path: String(url), body: JSON.parse(String(init?.body)) }
    sent.push(one)
    const reply = replies[one.path]
    if (!reply) throw new TypeError("no response")
    return await reply(one)
  }
  handle = mount({ endpoint: "", retries: 0, fetch: fetch as typeof globalThis.fetch, ...options })
}

const shadow = () => {
  const found = document.querySelector("[data-sensecheck-off]")?.shadowRoot
  if (!found) throw new Error("our host is not in the page")
  return found
}
function find<T extends Element = HTMLElement>(selector: string): T {
  const found = shadow().querySelector<T>(selector)
  if (!found) throw new Error(`there is no ${selector} in ${shadow().querySelector(".panel")?.textContent}`)
  return found
}
const status = () => find("[role=status]").textContent

async function until(holds: () => boolean) {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 500)
      throw new Error(`it did not come to that: ${shadow().querySelector(".panel")?.textContent}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

function openFirstParagraph() {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector("p") as Element)
  handle.open(range)
}

async function ask(question: string) {
  const said: (string | null)[] = []
  const watcher = new MutationObserver(() => {
    if (said.at(-1) !== status()) said.push(status())
  })
  watcher.observe(find("[role=status]"), { childList: true, characterData: true, subtree: true })
  find<HTMLTextAreaElement>("textarea").value = question
  find<HTMLFormElement>("form").requestSubmit()
  await until(() => status() !== "" && status() !== ENGLISH.looking)
  await Promise.resolve()
  watcher.disconnect()
  return said
}

beforeEach(() => {
  document.body.innerHTML = `<h1>The museum</h1><p>${SENTENCE}</p><h2>Prices</h2><p>A ticket costs 12 euros.</p>`
})
afterEach(() => handle.destroy())

test("an answer with its number, its evidence and the votes", async () => {
  start({
    "/v1/answers": answered(ANSWER),
    "/v1/messages/m1/feedback": () => new Response(null, { status: 204 }),
  })
  openFirstParagraph()
  expect(find("[role=dialog]").hidden).toBe(false)
  expect(find("blockquote").textContent).toBe(SENTENCE)
  expect(shadow().activeElement?.tagName).toBe("TEXTAREA")
  const announcements = await ask("When does it close?")
  expect(announcements).toEqual([ENGLISH.looking, `From the selection: ${SENTENCE}`])
  expect(sent[0]?.body).toMatchObject({
    question: "When does it close?",
    passage: SENTENCE,
    offsets: "utf16",
  })
  expect(find(".answer").textContent).toBe(`${SENTENCE}\u20601`)
  expect(find(".mark").ariaLabel).toBe("Show in the page: 1")
  expect(find<HTMLAnchorElement>(".mark").href).toContain("#:~:text=The%20museum%20closes%20at%2017%3A30.")
  const [up, down] = Array.from(shadow().querySelectorAll<HTMLElement>(".votes button"))
  up?.click()
  await until(() => sent.length === 2)
  expect(sent[1]).toEqual({ path: "/v1/messages/m1/feedback", body: { thumb: "up" } })
  expect([up?.ariaPressed, down?.ariaPressed]).toEqual(["true", "false"])
})

test("without an answer: the reason, and another section that takes the question", async () => {
  const related = { sections: [{ id: "s1", start: 8, end: 32, text: "A ticket costs 12 euros." }] }
  let asked = 0
  start({
    "/v1/answers": () => answered(asked++ ? { ...ANSWER, answer: "12 euros.", claims: [] } : NONE)(),
    "/v1/related": () => Response.json(related),
  })
  openFirstParagraph()
  expect(await ask("What is a ticket?")).toHaveLength(2)
  expect(find(".result").textContent).toContain("The selection does not mention: ticket")
  expect(find("li button").textContent).toBe("Prices A ticket costs 12 euros.")
  expect(sent[1]?.body).toMatchObject({
    sections: [{ text: `The museum\n\n${SENTENCE}` }, { text: "Prices\n\nA ticket costs 12 euros." }],
  })
  find("li button").click()
  await until(() => status() === "From the selection: 12 euros.")
  expect(sent[2]?.body).toMatchObject({
    question: "What is a ticket?",
    passage: "Prices\n\nA ticket costs 12 euros.",
  })
})

test("other sections are not sent if that is disabled", async () => {
  start({ "/v1/answers": answered(NONE) }, { related: false, feedback: false })
  openFirstParagraph()
  await ask("What is a ticket?")
  expect(sent).toHaveLength(1)
  expect(shadow().querySelectorAll(".row")).toHaveLength(0)
})

test("a search that fails says so", async () => {
  start({ "/v1/answers": answered(NONE), "/v1/related": () => new Response(null, { status: 500 }) })
  openFirstParagraph()
  await ask("What is a ticket?")
  expect(find(".result").textContent).toContain(ENGLISH.relatedFailed)
})

test("early ends and ignored instructions are noted", async () => {
  const injections = [{ where: "passages[0]", start: 0, end: 3, text: "The" }]
  start({ "/v1/answers": answered({ ...ANSWER, decision: "cut", injections } as typeof ANSWER) })
  openFirstParagraph()
  await ask("When?")
  const notes = Array.from(shadow().querySelectorAll(".result > .note"), (note) => note.textContent)
  expect(notes.filter((note) => note)).toEqual([ENGLISH.cut, ENGLISH.injection])
})

test.each([
  [429, { "Retry-After": "7" }, `${ENGLISH["error-limited"]} Try again in 7 s.`, true],
  [503, {}, ENGLISH["error-busy"], true],
  [403, {}, ENGLISH["error-refused"], false],
  [413, {}, ENGLISH["error-too-large"], false],
  [500, {}, ENGLISH["error-broken"], true],
])("status %i has its own sentence", async (status, headers, sentence, canAgain) => {
  const refused = () => new Response("{}", { status, headers: headers as Record<string, string> })
  start({ "/v1/answers": refused })
  openFirstParagraph()
  expect(await ask("When?")).toHaveLength(2)
  expect(find(".error").textContent).toBe(sentence)
  expect(find(".error + button").hidden).toBe(!canAgain)
})

test("offline, then again", async () => {
  const replies: Replies = {}
  start(replies)
  openFirstParagraph()
  await ask("When?")
  expect(find(".error").textContent).toBe(ENGLISH["error-offline"])
  replies["/v1/answers"] = answered(ANSWER)
  find(".error + button").click()
  await until(() => status()?.startsWith("From the selection") ?? false)
  expect(shadow().activeElement?.tagName).toBe("TEXTAREA")
})

test("Enter sends, but not while a word is composed or the key is held, and Shift+Enter does not", async () => {
  start({ "/v1/answers": answered(ANSWER) })
  openFirstParagraph()
  find<HTMLTextAreaElement>("textarea").value = "When?"
  press({ key: "Enter", isComposing: true })
  press({ key: "Enter", keyCode: 229 })
  press({ key: "Enter", shiftKey: true })
  expect(press({ key: "Enter", repeat: true })).toBe(false)
  expect(find<HTMLTextAreaElement>("textarea").value).toBe("When?")
  expect(sent).toHaveLength(0)
  expect(press({ key: "Enter" })).toBe(false)
  await until(() => sent.length === 1)
})

const press = (init: KeyboardEventInit, on: Element = find("textarea")) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, composed: true, cancelable: true, ...init }))

/** Selects the first paragraph, as a reader does. */
async function selectFirstParagraph() {
  document.getSelection()?.selectAllChildren(document.querySelector("p") as Element)
  await until(() => !find(".ask-button").hidden)
}

test("closing cancels the question, and restores the focus and the selection", async () => {
  let signal: AbortSignal | undefined
  start({ "/v1/answers": () => new Promise(() => undefined) })
  handle.destroy()
  const link = document.createElement("a")
  link.href = "#x"
  document.body.append(link)
  const fetch = (_: unknown, init?: RequestInit) => {
    signal = init?.signal ?? undefined
    return new Promise<Response>(() => undefined)
  }
  handle = mount({ endpoint: "", fetch: fetch as typeof globalThis.fetch })
  await selectFirstParagraph()
  link.focus()
  handle.open()
  document.getSelection()?.removeAllRanges()
  find<HTMLTextAreaElement>("textarea").value = "When?"
  find<HTMLFormElement>("form").requestSubmit()
  expect(status()).toBe(ENGLISH.looking)
  press({ key: "Escape" })
  expect(find("[role=dialog]").hidden).toBe(true)
  expect(signal?.aborted).toBe(true)
  expect(status()).toBe("")
  expect(document.activeElement).toBe(link)
  expect(String(document.getSelection())).toBe(SENTENCE)
})

test("the focus goes back to the button, if the dialog was opened by it", async () => {
  start({})
  await selectFirstParagraph()
  find(".ask-button button").focus()
  find(".ask-button button").click()
  expect(shadow().activeElement?.tagName).toBe("TEXTAREA")
  press({ key: "Escape" })
  expect(find(".ask-button").hidden).toBe(false)
  expect(shadow().activeElement).toBe(find(".ask-button button"))
})

test("what no reader has selected is not selected by closing, and nothing is by the end", async () => {
  start({})
  document.getSelection()?.removeAllRanges()
  openFirstParagraph()
  handle.close()
  expect(String(document.getSelection())).toBe("")
  await selectFirstParagraph()
  handle.open()
  document.getSelection()?.removeAllRanges()
  handle.destroy()
  expect(String(document.getSelection())).toBe("")
  handle.open()
  expect(document.querySelector("[data-sensecheck-off]")).toBeNull()
  expect(CSS.highlights?.size ?? 0).toBe(0)
  expect(document.querySelector("[data-sensecheck-evidence]")).toBeNull()
})

test("what is typed in the dialog does not reach the shortcuts of the page", () => {
  start({})
  openFirstParagraph()
  const heard: string[] = []
  const hear = ({ type }: Event) => heard.push(type)
  const names = ["keydown", "keypress", "keyup"]
  for (const name of names) document.addEventListener(name, hear)
  for (const name of names)
    find("textarea").dispatchEvent(new KeyboardEvent(name, { key: "s", bubbles: true, composed: true }))
  expect(heard).toEqual([])
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }))
  expect(heard).toEqual(["keydown"])
  for (const name of names) document.removeEventListener(name, hear)
})

test("Escape closes, but not the one that ends a composition", () => {
  start({})
  openFirstParagraph()
  press({ key: "Escape", isComposing: true })
  press({ key: "Escape", keyCode: 229 })
  expect(find("[role=dialog]").hidden).toBe(false)
  press({ key: "Escape" })
  expect(find("[role=dialog]").hidden).toBe(true)
})

test("a growing answer keeps scroll position and selection", async () => {
  let more: (text: string) => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (name: string, data: unknown) =>
        controller.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
      send("start", {})
      more = (text) => send("delta", { text, checked: true })
    },
  })
  start({ "/v1/answers": () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }) })
  openFirstParagraph()
  find<HTMLTextAreaElement>("textarea").value = "When?"
  find<HTMLFormElement>("form").requestSubmit()
  more("The museum")
  await until(() => find(".answer").textContent === "The museum")
  const [answer, text] = [find(".answer"), find(".answer").firstChild]
  find(".chat").scrollTop = 7
  more(" closes.")
  await until(() => find(".answer").textContent === "The museum closes.")
  expect([find(".answer"), find(".answer").firstChild]).toEqual([answer, text])
  expect(find(".answer").firstChild).toBe(text)
  expect(find(".chat").scrollTop).toBe(7)
})

test("a second vote wins, although the first fails later", async () => {
  const replies: ((response: Response) => void)[] = []
  start({
    "/v1/answers": answered(ANSWER),
    "/v1/messages/m1/feedback": () => new Promise((resolve) => replies.push(resolve)),
  })
  openFirstParagraph()
  await ask("When?")
  const [up, down] = Array.from(shadow().querySelectorAll<HTMLElement>(".votes button"))
  up?.click()
  down?.click()
  await until(() => replies.length === 2)
  replies[1]?.(new Response(null, { status: 204 }))
  replies[0]?.(new Response("{}", { status: 500 }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([up?.ariaPressed, down?.ariaPressed]).toEqual(["false", "true"])
  expect(find(".votes .note").textContent).toBe("")
})

test.each([
  ["main", ["Prices\n\nA ticket costs 12 euros."]],
  ["article", undefined],
])("of the page, nothing outside of %s is sent to be looked through", async (scope, texts) => {
  document.body.innerHTML = `<p>${SENTENCE}</p><main><h2>Prices</h2>A ticket costs 12 euros.</main>`
  start({ "/v1/answers": answered(NONE), "/v1/related": () => Response.json({ sections: [] }) }, { scope })
  openFirstParagraph()
  await ask("What is a ticket?")
  const sections = sent[1]?.body["sections"] as { text: string }[] | undefined
  expect(sections?.map(({ text }) => text)).toEqual(texts)
})

test("a quote ends with a complete character", () => {
  document.body.innerHTML = `<p>${"x".repeat(79)}😀 and more</p>`
  start({})
  openFirstParagraph()
  expect(find("blockquote").textContent).toBe(`${"x".repeat(79)}…`)
})

test("earlier answers stay below their selection, and move up when another one is asked about", async () => {
  start({ "/v1/answers": answered(ANSWER) })
  openFirstParagraph()
  await ask("When does it close?")
  await askAgain("At what time?")
  expect(questions(".thread")).toEqual(["When does it close?"])
  expect(questions(".result")).toEqual(["At what time?"])
  press({ key: "Escape" })
  openFirstParagraph()
  expect(questions(".thread")).toEqual(["When does it close?", "At what time?"])
  expect(questions(".result")).toEqual([])
  handle.close()
  document.querySelector("p")?.remove()
  openFirstParagraph()
  expect(questions(".thread")).toEqual([])
  expect(questions("details")).toEqual(["When does it close?", "At what time?"])
  expect(find("details blockquote").textContent).toBe(SENTENCE)
  expect(find("summary").textContent).toBe(ENGLISH.earlier)
})

test("without a history, each answer replaces the one before", async () => {
  start({ "/v1/answers": answered(ANSWER) }, { history: false })
  openFirstParagraph()
  await ask("When does it close?")
  await askAgain("At what time?")
  expect(shadow().querySelectorAll(".question")).toHaveLength(1)
})

test("of many answers the newest are kept", async () => {
  start({ "/v1/answers": answered(ANSWER) })
  openFirstParagraph()
  await ask("0")
  for (let number = 1; number < 24; number++) await askAgain(`${number}`)
  expect(questions(".thread")).toHaveLength(20)
  expect(questions(".thread").at(-1)).toBe("22")
})

const questions = (place: string) =>
  Array.from(shadow().querySelectorAll(`${place} .question`), (question) => question.textContent)

async function askAgain(question: string) {
  find<HTMLTextAreaElement>("textarea").value = question
  find<HTMLFormElement>("form").requestSubmit()
  await until(() => status() === ENGLISH.looking)
  await until(() => status() !== ENGLISH.looking)
}

test("a suggested question is asked by its button", async () => {
  start({ "/v1/answers": answered(ANSWER) }, { suggestions: "When does it close?|Where is it?" })
  openFirstParagraph()
  const [first, second, ...others] = Array.from(shadow().querySelectorAll<HTMLElement>(".result button"))
  expect([first?.textContent, second?.textContent, others]).toEqual([
    "When does it close?",
    "Where is it?",
    [],
  ])
  expect(find(".result .row").ariaLabel).toBe(ENGLISH.suggestions)
  first?.click()
  await until(() => sent.length === 1)
  expect(sent[0]?.body).toMatchObject({ question: "When does it close?" })
})

test("a model's Markdown is rendered, and announced without its signs", async () => {
  const answer = "It closes at **17:30**, see `hours`."
  start({ "/v1/answers": answered({ ...ANSWER, answer, claims: [] } as typeof ANSWER) })
  openFirstParagraph()
  await ask("When?")
  expect(find(".answer").innerHTML).toBe(
    "<p>It closes at <strong>17:30</strong>, see <code>hours</code>.</p>",
  )
  expect(status()).toBe("From the selection: It closes at 17:30, see hours.")
})

test("the sentence for no answer is in the language of the widget", async () => {
  start({ "/v1/answers": answered(NONE) }, { lang: "de", related: false })
  await until(() => document.querySelector("[data-sensecheck-off]") !== null)
  openFirstParagraph()
  await until(() => !find("[role=dialog]").hidden)
  find<HTMLTextAreaElement>("textarea").value = "?"
  find<HTMLFormElement>("form").requestSubmit()
  await until(() => status()?.startsWith("Der ausgewählte Text enthält die Antwort nicht.") ?? false)
  expect(find(".answer").textContent).toBe("Der ausgewählte Text enthält die Antwort nicht.")
})

test("colours, font and place can be options", () => {
  document.body.insertAdjacentHTML("beforeend", "<footer></footer>")
  start({}, { accent: "#a8371f", font: "Georgia", root: "footer" })
  const host = document.querySelector<HTMLElement>("footer > [data-sensecheck-off]")
  expect(host?.style.getPropertyValue("--sensecheck-accent")).toBe("#a8371f")
  expect(host?.style.getPropertyValue("--sensecheck-font")).toBe("Georgia")
  expect(host?.style.getPropertyValue("--sensecheck-text")).toBe("")
})

test("a truncated selection is noted", () => {
  document.body.innerHTML = `<p>${"word ".repeat(1600)}</p>`
  start({})
  openFirstParagraph()
  expect(find(".chat > .note").textContent).toBe(ENGLISH.long)
  document.body.querySelector("p")?.replaceChildren("short")
  openFirstParagraph()
  expect(find(".chat > .note").textContent).toBe("")
})

test("destroy leaves nothing behind, and two widgets are independent", () => {
  const before = document.documentElement.outerHTML
  start({})
  const other = mount({ endpoint: "" })
  expect(document.querySelectorAll("[data-sensecheck-off]")).toHaveLength(2)
  other.destroy()
  openFirstParagraph()
  expect(find("[role=dialog]").hidden).toBe(false)
  handle.destroy()
  expect(document.documentElement.outerHTML).toBe(before)
  expect(document.adoptedStyleSheets).toHaveLength(0)
})

test("some words can be replaced, and options that are undefined are not given", () => {
  start({}, { strings: { ask: "Frag dazu", send: undefined }, scope: undefined, lang: undefined })
  expect([find("h2").textContent, find("form button").ariaLabel]).toEqual(["Frag dazu", ENGLISH.send])
})

test("a scope that is no selector is refused before anything is in the page", () => {
  start({})
  handle.destroy()
  expect(() => mount({ endpoint: "", scope: "main >" })).toThrow()
  expect(document.querySelector("[data-sensecheck-off]")).toBeNull()
})

test("a secret key is refused before anything is in the page", () => {
  start({})
  handle.destroy()
  expect(() => mount({ endpoint: "", key: "sk_live_1" })).toThrow(/secret/)
  expect(document.querySelector("[data-sensecheck-off]")).toBeNull()
})

test("the element mounts while it is in the page, and remounts when an attribute changes", () => {
  start({})
  handle.destroy()
  defineElement()
  defineElement()
  const node = document.createElement("sensecheck-ask")
  node.setAttribute("endpoint", "https://api.example.com")
  node.setAttribute("theme", "dark")
  document.body.append(node)
  const hosts = () =>
    Array.from(node.children, (host) => (host as HTMLElement).style.getPropertyValue("--sensecheck-scheme"))
  expect(hosts()).toEqual(["dark"])
  node.setAttribute("theme", "light")
  expect(hosts()).toEqual(["light"])
  node.remove()
  expect(hosts()).toEqual([])
})

test("the element accepts attributes that are fixed after it could not mount", () => {
  start({})
  handle.destroy()
  defineElement("ask-mended")
  const node = document.createElement("ask-mended")
  node.setAttribute("api-key", "sk_live_1")
  expect(() => document.body.append(node)).toThrow(/secret/)
  expect(node.children).toHaveLength(0)
  node.setAttribute("api-key", "pk_live_1")
  expect(node.children).toHaveLength(1)
  node.remove()
})
