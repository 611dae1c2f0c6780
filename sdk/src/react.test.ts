import { act, createElement, StrictMode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, expect, test } from "vitest"
import { SensecheckError } from "./client/errors.ts"
import { SensecheckAsk, type SensecheckAskProps } from "./react.ts"

const OPTIONS: SensecheckAskProps = {
  endpoint: "https://api.example.com",
  apiKey: "pk_reader",
  scope: "main",
}
let root: Root
let container: Element

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  container = document.createElement("main")
  document.body.replaceChildren(container)
  root = createRoot(container)
})

afterEach(() => act(() => root.unmount()))

/** What was put on the page beside React's own container. */
const hosts = () => [...document.body.children].filter((child) => child !== container)

const render = (options: SensecheckAskProps) =>
  act(() => root.render(createElement(StrictMode, null, createElement(SensecheckAsk, options))))

test("one widget is on the page, also where every effect runs twice", async () => {
  await render(OPTIONS)
  expect(hosts()).toHaveLength(1)
  expect(container.childNodes).toHaveLength(0)
})

test("nothing stays on the page when it is taken away", async () => {
  await render(OPTIONS)
  await act(() => root.render(null))
  expect(hosts()).toHaveLength(0)
})

test("the same options change nothing, also with inline strings and suggestions", async () => {
  await render({ ...OPTIONS, strings: { ask: "Frag dazu" }, suggestions: ["Wann?"] })
  const [before] = hosts()
  await render({ ...OPTIONS, strings: { ask: "Frag dazu" }, suggestions: ["Wann?"] })
  expect(hosts()).toHaveLength(1)
  expect(hosts()[0]).toBe(before)
})

test.each<[string, Partial<SensecheckAskProps>]>([
  ["an option", { scope: "article" }],
  ["the key", { apiKey: "pk_other" }],
  ["a word", { strings: { ask: "Nachfragen" } }],
  ["one more word", { strings: { ask: "Frag dazu", send: "Los" } }],
  ["no words any more", { strings: {} }],
  ["a suggestion", { suggestions: ["Wo?"] }],
])("the widget is remounted when this changes: %s", async (_, changed) => {
  await render({ ...OPTIONS, strings: { ask: "Frag dazu" } })
  const [before] = hosts()
  await render({ ...OPTIONS, strings: { ask: "Frag dazu" }, ...changed })
  expect(hosts()).toHaveLength(1)
  expect(hosts()[0]).not.toBe(before)
})

test("a secret key is an error that React tells", () => {
  const secret = createElement(SensecheckAsk, { ...OPTIONS, apiKey: "sk_secret" })
  expect(() => act(() => root.render(secret))).toThrow(SensecheckError)
  expect(hosts()).toHaveLength(0)
})

test("on a server it is nothing", () => {
  expect(renderToString(createElement(SensecheckAsk, OPTIONS))).toBe("")
})
