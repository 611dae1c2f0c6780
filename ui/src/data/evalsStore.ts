import { unpacked } from "./blob"
import type { EvalPair, EvalsIndex } from "./evals"

/** A run as it lies in a page: the index is read at once, the texts when somebody asks for them. */
export class EvalsStore {
  private readonly packs = new Map<number, Promise<EvalPair[]>>()

  constructor(
    readonly index: EvalsIndex,
    private readonly letters: readonly (() => string)[],
  ) {}

  async pair(row: number): Promise<EvalPair> {
    const pack = await this.opened(Math.floor(row / this.index.pack))
    return pack[row % this.index.pack]!
  }

  /** All texts in small letters, row by row. */
  async said(): Promise<string[]> {
    const packs = await Promise.all(this.letters.map((_, at) => this.opened(at)))
    return packs
      .flat()
      .map(({ question, expected, answer, error, passages }) =>
        [question, expected, answer, error, ...passages].join("\n").toLowerCase(),
      )
  }

  private opened(pack: number): Promise<EvalPair[]> {
    const held = this.packs.get(pack) ?? unpacked<EvalPair[]>(this.letters[pack]!())
    this.packs.set(pack, held)
    return held
  }
}

/** The run that was written into a page. */
export async function evalsIn(page: Document): Promise<EvalsStore> {
  const blobs = (kind: string) => [...page.querySelectorAll(`script[data-blob="${kind}"]`)]
  const [index] = blobs("index")
  if (!index) throw new Error("this page holds no run")
  const packs = blobs("pairs").map((held) => () => held.textContent)
  return new EvalsStore(await unpacked<EvalsIndex>(index.textContent), packs)
}
