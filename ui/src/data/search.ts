import { assertionName } from "./viewState"
import type { Texts } from "./run"
import type { Store } from "./store"
import { toText } from "./format"

/** The searchable text of each test: first from the index, then with prompts, variables and answers. */
export class Search {
  private readonly indexTexts: string[] = []
  private fullTexts: string[] | null = null

  constructor(private readonly store: Store) {}

  get complete(): boolean {
    return this.fullTexts !== null
  }

  textOf = (row: number): string => this.fullTexts?.[row] ?? (this.indexTexts[row] ??= this.indexText(row))

  private indexText(row: number): string {
    const { index } = this.store
    const { test, title, reason, source, assertions } = index.rows
    const assertionNames = assertions[row]!.map(([at]) => assertionName(index, at))
    const fields = [test[row], title[row], reason[row], index.sources[source[row]!], ...assertionNames]
    return fields.join("\n").toLowerCase()
  }

  /** Unpack all texts, which is only done for a search. */
  async readTexts(): Promise<void> {
    const all = await this.store.allTexts()
    this.fullTexts = all.map((texts, row) => `${this.indexText(row)}\n${joinTexts(texts).toLowerCase()}`)
  }
}

function joinTexts({ description, prompt, vars, answers }: Texts): string {
  const variables = Object.entries(vars).map(([name, value]) => `${name}=${toText(value)}`)
  return [description, prompt, ...variables, ...answers].join("\n")
}
