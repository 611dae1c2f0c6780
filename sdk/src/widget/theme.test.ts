import { afterEach, expect, test } from "vitest"
import { schemeOf, watchTheme } from "./theme.ts"

const root = document.documentElement

afterEach(() => {
  for (const node of [root, document.body])
    for (const name of node.getAttributeNames()) node.removeAttribute(name)
})

test.each([
  ["data-theme", "dark", "dark"],
  ["data-theme", "light", "light"],
  ["data-bs-theme", "dark", "dark"],
  ["data-md-color-scheme", "slate", "dark"],
  ["data-color-mode", "light", "light"],
  ["class", "no-js dark", "dark"],
  ["class", "theme-dark docs", "dark"],
  ["class", "dark-mode", "dark"],
  ["class", "light-theme", "light"],
])("%s=%j is %s", (name, value, scheme) => {
  for (const node of [root, document.body]) {
    node.setAttribute(name, value)
    expect(schemeOf(document.body)).toBe(scheme)
    node.removeAttribute(name)
  }
})

test.each([
  ["class", "bg-white dark:bg-slate-900"],
  ["class", "bg-dark text-light"],
  ["data-theme-choice", "dark"],
  ["id", "dark"],
])("%s=%j says nothing", (name, value) => {
  root.setAttribute(name, value)
  expect(schemeOf(document.body)).toBe("light")
})

test("the nearest node decides", () => {
  root.setAttribute("data-theme", "dark")
  document.body.setAttribute("data-theme", "light")
  expect(schemeOf(document.body)).toBe("light")
})

test("without a name, the colour scheme or the background of the page decides", () => {
  root.style.colorScheme = "dark"
  expect(schemeOf(document.body)).toBe("dark")
  root.style.colorScheme = "only light"
  expect(schemeOf(document.body)).toBe("light")
  root.style.colorScheme = "light dark"
  expect(schemeOf(document.body)).toBe("")
  document.body.style.backgroundColor = "rgb(20, 22, 30)"
  expect(schemeOf(document.body)).toBe("dark")
  document.body.style.backgroundColor = "rgb(250, 240, 230)"
  expect(schemeOf(document.body)).toBe("light")
})

test("a change is reported until the end", async () => {
  const end = new AbortController()
  let calls = 0
  watchTheme(end.signal, () => {
    calls += 1
  })
  expect(calls).toBe(1)
  root.setAttribute("data-theme", "dark")
  await new Promise((done) => setTimeout(done))
  expect(calls).toBe(2)
  end.abort()
  root.setAttribute("data-theme", "light")
  await new Promise((done) => setTimeout(done))
  expect(calls).toBe(2)
})
