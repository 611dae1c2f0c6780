import { assertionName } from "./address"
import type { Texts } from "./run"
import type { Store } from "./store"
import { plainly } from "./words"

/** What can be found of each test by words: at first what the index knows, then all that was asked and answered. */
export class Search {
  private readonly short: string[] = []
  private whole: string[] | null = null

  constructor(private readonly store: Store) {}

  get complete(): boolean {
    return this.whole !== null
  }

  said = (row: number): string => this.whole?.[row] ?? (this.short[row] ??= this.shortly(row))

  private shortly(row: number): string {
    const { index } = this.store
    const { test, title, reason, source, assertions } = index.rows
    const asserted = assertions[row]!.map(([at]) => assertionName(index, at))
    const known = [test[row], title[row], reason[row], index.sources[source[row]!], ...asserted]
    return known.join("\n").toLowerCase()
  }

  /** Make the texts known; they are unpacked only once somebody searches. */
  async readTexts(): Promise<void> {
    const all = await this.store.allTexts()
    this.whole = all.map((texts, row) => `${this.shortly(row)}\n${written(texts).toLowerCase()}`)
  }
}

function written({ description, prompt, vars, answers }: Texts): string {
  const variables = Object.entries(vars).map(([name, value]) => `${name}=${plainly(value)}`)
  return [description, prompt, ...variables, ...answers].join("\n")
}
