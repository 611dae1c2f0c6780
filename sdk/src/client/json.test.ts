import { describe, expect, it } from "vitest"
import { hasShape, parseJson, toJson } from "./json.ts"

describe("toJson", () => {
  it("replaces halves of characters one to one, at any depth", () => {
    expect(toJson({ a: "x\ud800y\udc00", b: ["😀\ud83d"] })).toBe(
      JSON.stringify({ a: "x\ufffdy\ufffd", b: ["😀\ufffd"] }),
    )
  })
})

describe("parseJson", () => {
  it("says nothing of what it could not read", () => {
    expect(() => parseJson("<secret>")).toThrow(expect.objectContaining({ kind: "broken", cause: undefined }))
    expect(() => parseJson("<secret>")).not.toThrow(/secret/)
  })
})

describe("hasShape", () => {
  it.each<[unknown, unknown, boolean]>([
    ["a", "", true],
    [0, "", false],
    [null, {}, false],
    [undefined, "", false],
    [{ a: "x", more: 1 }, { a: "" }, true],
    [{ a: 1 }, { a: "" }, false],
    [{}, { a: "" }, false],
    [[], { a: "" }, false],
    [[], [""], true],
    [["a", "b"], [""], true],
    [["a", null], [""], false],
    [{ 0: "a", length: 1 }, [""], false],
    [{ a: [{ b: 1 }, {}] }, { a: [{ b: 0 }] }, false],
  ])("says of %j, requireShape %j, %j", (value, example, expected) => {
    expect(hasShape(value, example)).toBe(expected)
  })
})
