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
