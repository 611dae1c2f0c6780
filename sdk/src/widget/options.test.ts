import { expect, test } from "vitest"
import { optionsFrom } from "./options.ts"

const read = (found: Record<string, string>) => optionsFrom((name) => found[name], "https://api.example.com")

test("attributes are options", () => {
  expect(read({})).toEqual({ endpoint: "https://api.example.com" })
  expect(
    read({
      endpoint: "",
      key: "pk_1",
      scope: "main",
      dir: "rtl",
      related: "off",
      feedback: "false",
      shortcut: "F2",
    }),
  ).toEqual({
    endpoint: "",
    key: "pk_1",
    scope: "main",
    dir: "rtl",
    related: false,
    feedback: false,
    shortcut: "F2",
  })
  expect(read({ related: "on", feedback: "true" })).toMatchObject({ related: "on", feedback: "true" })
})

test("everything can be set by attributes", () => {
  const options = read({
    "api-key": "pk_1",
    root: "#app",
    lang: "de",
    theme: "dark",
    accent: "#a8371f",
    text: "black",
    background: "white",
    font: "Georgia, serif",
    history: "off",
    suggestions: "When?|Where?",
    strings: '{"ask": "Dazu fragen"}',
    timeout: "500",
    "idle-timeout": "700",
    retries: "0",
  })
  expect(options).toEqual({
    endpoint: "https://api.example.com",
    key: "pk_1",
    root: "#app",
    lang: "de",
    theme: "dark",
    accent: "#a8371f",
    text: "black",
    background: "white",
    font: "Georgia, serif",
    history: false,
    suggestions: "When?|Where?",
    strings: { ask: "Dazu fragen" },
    timeout: 500,
    idleTimeout: 700,
    retries: 0,
  })
  expect(() => read({ strings: "{ask" })).toThrow(SyntaxError)
})
