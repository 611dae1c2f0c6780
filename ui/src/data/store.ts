import { unpack } from "./unpack"
import type { Detail, Index, Texts } from "./run"

/** The kinds of packs: details of tests, and their texts. */
type Kind = "details" | "texts"

/** A run in a page: the index is unpacked at once, the rest when it is needed. */
export class Store {
  private readonly details = new Map<number, Promise<Detail[]>>()
  private readonly texts = new Map<number, Promise<Texts[]>>()
  private readonly starts: number[]

  constructor(
    readonly index: Index,
    private readonly readBlob: (kind: Kind, pack: number) => string,
  ) {
    let start = 0
    this.starts = index.packs.map((size) => (start += size) - size)
  }

  async detail(row: number): Promise<{ detail: Detail; texts: Texts }> {
    const pack = this.starts.findLastIndex((start) => start <= row)
    const [details, texts] = await Promise.all([this.load(this.details, "details", pack), this.textsOf(pack)])
    const at = row - this.starts[pack]!
    return { detail: details[at]!, texts: texts[at]! }
  }

  /** The texts of all tests, in order. */
  async allTexts(): Promise<Texts[]> {
    const all: Texts[] = []
    for (const pack of this.index.packs.keys()) for (const texts of await this.textsOf(pack)) all.push(texts)
    return all
  }

  private textsOf(pack: number): Promise<Texts[]> {
    return this.load(this.texts, "texts", pack)
  }

  private load<T>(cache: Map<number, Promise<T>>, kind: Kind, pack: number): Promise<T> {
    const loaded = cache.get(pack) ?? unpack<T>(this.readBlob(kind, pack))
    cache.set(pack, loaded)
    return loaded
  }
}

/** The run that was written into a page. */
export async function readStore(page: Document): Promise<Store> {
  const blobs = (kind: string) => [...page.querySelectorAll(`script[data-blob="${kind}"]`)]
  const [index] = blobs("index")
  if (!index) throw new Error("this page contains no run")
  const packed = { details: blobs("details"), texts: blobs("texts") }
  return new Store(await unpack<Index>(index.textContent), (kind, pack) => packed[kind][pack]!.textContent)
}
