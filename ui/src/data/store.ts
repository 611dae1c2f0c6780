import { unpacked } from "./blob"
import type { Detail, Index, Texts } from "./run"

/** What is packed: what is told of tests once they are opened, and what they are searched by. */
type Kind = "details" | "texts"

/** A run as it lies in a page: the index is read at once, the rest when somebody asks for it. */
export class Store {
  private readonly details = new Map<number, Promise<Detail[]>>()
  private readonly texts = new Map<number, Promise<Texts[]>>()
  private readonly starts: number[]

  constructor(
    readonly index: Index,
    private readonly letters: (kind: Kind, pack: number) => string,
  ) {
    let start = 0
    this.starts = index.packs.map((size) => (start += size) - size)
  }

  async detail(row: number): Promise<{ detail: Detail; texts: Texts }> {
    const pack = this.starts.findLastIndex((start) => start <= row)
    const [details, texts] = await Promise.all([this.pack(this.details, "details", pack), this.textsOf(pack)])
    const at = row - this.starts[pack]!
    return { detail: details[at]!, texts: texts[at]! }
  }

  /** What was asked and answered in all tests, in their order. */
  async allTexts(): Promise<Texts[]> {
    const all: Texts[] = []
    for (const pack of this.index.packs.keys()) for (const texts of await this.textsOf(pack)) all.push(texts)
    return all
  }

  private textsOf(pack: number): Promise<Texts[]> {
    return this.pack(this.texts, "texts", pack)
  }

  private pack<T>(kept: Map<number, Promise<T>>, kind: Kind, pack: number): Promise<T> {
    const held = kept.get(pack) ?? unpacked<T>(this.letters(kind, pack))
    kept.set(pack, held)
    return held
  }
}

/** The run that was written into a page. */
export async function storeIn(page: Document): Promise<Store> {
  const blobs = (kind: string) => [...page.querySelectorAll(`script[data-blob="${kind}"]`)]
  const [index] = blobs("index")
  if (!index) throw new Error("this page holds no run")
  const packed = { details: blobs("details"), texts: blobs("texts") }
  return new Store(await unpacked<Index>(index.textContent), (kind, pack) => packed[kind][pack]!.textContent)
}
