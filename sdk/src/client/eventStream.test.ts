// @vitest-environment node
import { describe, expect, it } from "vitest"
import { createEventReader, type ServerEvent } from "./eventStream.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

function read(pieces: Iterable<Uint8Array>): ServerEvent[] {
  const take = createEventReader()
  const decoder = new TextDecoder()
  return [...pieces].flatMap((piece) => take(decoder.decode(piece, { stream: true })))
}

/** Every way of cutting bytes into pieces: bit i says whether there is a cut after byte i. */
function* everyCutting(bytes: Uint8Array): Generator<Uint8Array[]> {
  for (let cuts = 0; cuts < 2 ** (bytes.length - 1); cuts++) {
    const pieces: Uint8Array[] = []
    let begin = 0
    for (let end = 1; end <= bytes.length; end++) {
      if (end < bytes.length && !((cuts >> (end - 1)) & 1)) continue
      pieces.push(bytes.subarray(begin, end))
      begin = end
    }
    yield pieces
  }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe("every way of cutting", () => {
  const event = (data: string, name = "", id = ""): ServerEvent => ({ name, data, id })
  it.each<[string, string, ServerEvent[]]>([
    ["line feeds", "data:a\n\ndata\n\n", [event("a"), event("")]],
    ["returns", "data:a\r\rdata\r\r", [event("a"), event("")]],
    ["both", "data\r\n\r\ndata\r\r", [event(""), event("")]],
    ["mixed", "data:a\r\ndata\n\r", [event("a\n")]],
    ["a character of four bytes", "data:😀é\n\n", [event("😀é")]],
    ["comments", ":hi\n\ndata\n:\n\n", [event("")]],
    ["a name", "event:e\ndata\n\n", [event("", "e")]],
    ["an id", "id:7\ndata: x\n\n", [event("x", "", "7")]],
    ["a mark at the start", "\ufeffdata:a\n\nda", [event("a")]],
    ["no end", "data:a\n\ndata:b\n", [event("a")]],
    ["names without data", "event:a\n\ndata\n\n", [event("")]],
    ["colons", "data::a: b\n\n", [event(":a: b")]],
  ])("%s", (_, text, expected) => {
    const bytes = bytesOf(text)
    expect(bytes.length).toBeLessThanOrEqual(15)
    for (const pieces of everyCutting(bytes)) {
      if (JSON.stringify(read(pieces)) !== JSON.stringify(expected)) expect(read(pieces)).toEqual(expected)
    }
  })
})

it("reads a large stream the same, however it is cut", () => {
  const random = seeded(9)
  const ends = ["\n", "\r\n", "\r"]
  const signs = ["a", "é", "美", "😀", ":", " ", "\u2028", "\0", "\\"]
  const expected: ServerEvent[] = []
  let text = ""
  for (let id = 0; id < 500; id++) {
    const end = ends[Math.floor(random() * 3)] ?? "\n"
    const data = Array.from({ length: random() * 40 }, () => signs[Math.floor(random() * signs.length)]).join(
      "",
    )
    if (random() < 0.2) text += `: still here${end}${end}`
    text += `id: ${id}${end}event: delta${end}data: ${data}${end}data: ${id}${end}retry: 5${end}${end}`
    expected.push({ name: "delta", data: `${data}\n${id}`, id: String(id) })
  }
  const bytes = bytesOf(text)
  for (let round = 0; round < 30; round++) {
    const longest = 1 + 3 ** (round % 10)
    const pieces: Uint8Array[] = []
    for (let at = 0; at < bytes.length; ) {
      const next = at + Math.ceil(random() * longest)
      pieces.push(bytes.subarray(at, next))
      at = next
    }
    expect(read(pieces)).toEqual(expected)
  }
})

it("reads one long line letter by letter in a time that grows with its length", () => {
  const take = createEventReader()
  const text = `data:${"x".repeat(500_000)}\n\n`
  let found: ServerEvent[] = []
  const began = performance.now()
  for (const letter of text) found = found.concat(take(letter))
  expect(found[0]?.data.length).toBe(500_000)
  expect(performance.now() - began).toBeLessThan(20_000)
})
