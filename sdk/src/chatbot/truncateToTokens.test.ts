// @vitest-environment node
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { MAX_TOKENS, truncateToTokens } from "./truncateToTokens.ts"

interface Vector {
  text: [string, number][]
  max_tokens: number
  kept: number
  words: number
}

/** The same file that the Python side is tested with. */
const FILE = new URL("../../../tests/vectors/truncation.jsonl", import.meta.url)
const VECTORS: Vector[] = readFileSync(FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line))

const textOf = ({ text }: Vector) => text.map(([piece, times]) => piece.repeat(times)).join("")

describe("the vectors", () => {
  it("are a thousand", () => {
    expect(VECTORS).toHaveLength(1_000)
  })

  it("are cut where they say", () => {
    for (const vector of VECTORS) {
      const text = textOf(vector)
      const kept = [...text].slice(0, vector.kept).join("")
      if (truncateToTokens(text, vector.max_tokens) !== kept) {
        expect({ vector, kept: truncateToTokens(text, vector.max_tokens) }).toEqual({ vector, kept })
      }
    }
  })

  it("keep the words that splitting and joining would keep", () => {
    for (const vector of VECTORS) {
      const words = textOf(vector).split(/\s+/)
      const wanted = words.slice(0, Math.floor(vector.max_tokens / 1.3))
      expect(wanted).toHaveLength(vector.words)
      expect(truncateToTokens(textOf(vector), vector.max_tokens).split(/\s+/).join(" ")).toBe(
        wanted.join(" "),
      )
    }
  })

  it("are cut exactly when the estimate of the document says that they are too long", () => {
    for (const vector of VECTORS) {
      const text = textOf(vector)
      const isTooLong = text.split(/\s+/).length * 1.3 > vector.max_tokens
      expect(truncateToTokens(text, vector.max_tokens) !== text).toBe(isTooLong && text !== "")
    }
  })
})

it("keeps lines and code as they stand, and never half a character", () => {
  const code = "def f(n):\n    if n:\n\treturn '😀'\n".repeat(1_000)
  const kept = truncateToTokens(code, MAX_TOKENS)
  expect(code.startsWith(kept)).toBe(true)
  expect(kept.split(/\s+/)).toHaveLength(1_538)
  expect(kept).toContain("\n    if n:\n\treturn '😀'\n")
  expect(kept).not.toMatch(/\p{Surrogate}/u)
})

it("takes a text of a million gaps in its stride", () => {
  expect(truncateToTokens(`x${" ".repeat(1_000_000)}y`, 2)).toBe("x")
})
