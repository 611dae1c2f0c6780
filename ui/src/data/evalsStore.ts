import { unpack } from "./unpack"
import type { EvalPair, EvalsIndex } from "./evals"

/** A run in a page: the index is unpacked at once, the texts when they are needed. */
export class EvalsStore {
  private readonly packs = new Map<number, Promise<EvalPair[]>>()

  constructor(
    readonly index: EvalsIndex,
    private readonly blobs: readonly (() => string)[],
  ) {}

  async pair(row: number): Promise<EvalPair> {
    const pack = await this.loadPack(Math.floor(row / this.index.pack))
    return pack[row % this.index.pack]!
  }

  /** All texts in lower case, row by row. */
  async searchTexts(): Promise<string[]> {
    const packs = await Promise.all(this.blobs.map((_, at) => this.loadPack(at)))
    return packs
      .flat()
      .map(({ question, expected, answer, error, passages }) =>
        [question, expected, answer, error, ...passages].join("\n").toLowerCase(),
      )
  }

  private loadPack(pack: number): Promise<EvalPair[]> {
    const loaded = this.packs.get(pack) ?? unpack<EvalPair[]>(this.blobs[pack]!())
    this.packs.set(pack, loaded)
    return loaded
  }
}

/** The run that was written into a page. */
export async function readEvalsStore(page: Document): Promise<EvalsStore> {
  const blobs = (kind: string) => [...page.querySelectorAll(`script[data-blob="${kind}"]`)]
  const [index] = blobs("index")
  if (!index) throw new Error("this page contains no run")
  const packs = blobs("pairs").map((script) => () => script.textContent)
  return new EvalsStore(await unpack<EvalsIndex>(index.textContent), packs)
}
