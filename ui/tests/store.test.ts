import { deflateSync } from "node:zlib"
import { expect, test } from "vitest"
import type { Texts } from "../src/data/run"
import { Search } from "../src/data/search"
import { Store } from "../src/data/store"
import { madeIndex } from "./made"

const packed = (data: unknown) => deflateSync(Buffer.from(JSON.stringify(data))).toString("base64")

const said = (answer: string | null): Texts => ({
  description: "",
  prompt: "Be brief.",
  vars: { day: "Monday", tags: ["desk"] },
  answers: [answer],
})

function store(asked: string[] = []): Store {
  const texts = [
    packed([said("It opens at 9 😀"), said(null), said("\ud800 half")]),
    packed([said("The last one")]),
  ]
  const details = [packed([{ key: "a" }, { key: "b" }, { key: "c" }]), packed([{ key: "d" }])]
  return new Store(madeIndex(), (kind, pack) => {
    asked.push(`${kind} ${pack}`)
    return (kind === "texts" ? texts : details)[pack]!
  })
}

test("a test is found in its pack, with its answer as it was", async () => {
  expect(await store().detail(0)).toEqual({ detail: { key: "a" }, texts: said("It opens at 9 😀") })
  expect((await store().detail(2)).texts.answers).toEqual(["\ud800 half"])
  expect((await store().detail(3)).detail.key).toBe("d")
})

test("a pack is unpacked once, and only when somebody asks", async () => {
  const asked: string[] = []
  const held = store(asked)
  expect(asked).toEqual([])
  await held.detail(0)
  await held.detail(1)
  expect(asked).toEqual(["details 0", "texts 0"])
})

test("what was asked and answered is found by its words once it is read", async () => {
  const search = new Search(store())
  expect(search.said(0)).toContain("opening hours")
  expect(search.said(0)).not.toContain("opens at 9")
  await search.readTexts()
  expect(search.complete).toBe(true)
  expect(search.said(0)).toContain("opening hours")
  for (const words of ["opens at 9", "be brief", "day=monday", "desk"])
    expect(search.said(0)).toContain(words)
})
