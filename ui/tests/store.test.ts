import { deflateSync } from "node:zlib"
import { expect, test } from "vitest"
import type { Texts } from "../src/data/run"
import { Search } from "../src/data/search"
import { Store } from "../src/data/store"
import { sampleIndex } from "./sampleIndex"

const packed = (data: unknown) => deflateSync(Buffer.from(JSON.stringify(data))).toString("base64")

const textsWith = (answer: string | null): Texts => ({
  description: "",
  prompt: "Be brief.",
  vars: { day: "Monday", tags: ["desk"] },
  answers: [answer],
})

function store(requested: string[] = []): Store {
  const texts = [
    packed([textsWith("It opens at 9 😀"), textsWith(null), textsWith("\ud800 half")]),
    packed([textsWith("The last one")]),
  ]
  const details = [packed([{ key: "a" }, { key: "b" }, { key: "c" }]), packed([{ key: "d" }])]
  return new Store(sampleIndex(), (kind, pack) => {
    requested.push(`${kind} ${pack}`)
    return (kind === "texts" ? texts : details)[pack]!
  })
}

test("a test is found in its pack, with its answer as it was", async () => {
  expect(await store().detail(0)).toEqual({ detail: { key: "a" }, texts: textsWith("It opens at 9 😀") })
  expect((await store().detail(2)).texts.answers).toEqual(["\ud800 half"])
  expect((await store().detail(3)).detail.key).toBe("d")
})

test("a pack is unpack once, and only when it is needed", async () => {
  const requested: string[] = []
  const opened = store(requested)
  expect(requested).toEqual([])
  await opened.detail(0)
  await opened.detail(1)
  expect(requested).toEqual(["details 0", "texts 0"])
})

test("prompts, variables and answers are searched once they are unpacked", async () => {
  const search = new Search(store())
  expect(search.textOf(0)).toContain("opening hours")
  expect(search.textOf(0)).not.toContain("opens at 9")
  await search.readTexts()
  expect(search.complete).toBe(true)
  expect(search.textOf(0)).toContain("opening hours")
  for (const words of ["opens at 9", "be brief", "day=monday", "desk"])
    expect(search.textOf(0)).toContain(words)
})
