import { type Reading, rangeOf } from "./textMap.ts"
import { readText } from "./textWalk.ts"

export interface Section {
  readonly id: string
  /** What its heading says; empty for what stands before the first heading. */
  readonly title: string
  /** With the heading. */
  readonly text: string
  /** Where these characters of the text stand in the page. */
  rangeOf(start: number, end: number): Range | null
}

/** What the service takes. */
const MOST_SECTIONS = 60
const LONGEST = 10_000
const LONGEST_TOGETHER = 60_000
/** How long the parts of a page without headings are. */
const WITHOUT_HEADINGS = 2_000

const HEADING = "h1,h2,h3,h4,h5,h6"
const AROUND_THE_PAGE = "nav,aside,footer,[role=navigation],header:not(main *,article *)"

interface Cut {
  readonly at: number
  readonly heading: Element | null
}

/** The sections of a page from its beginning on, cut at its headings, as many as the service takes. */
export function sectionsOf(root: ParentNode): Section[] {
  const page = readText(root, { without: AROUND_THE_PAGE, folded: true })
  const cuts = cutsOf(page)
  const parts = partsOf(cuts.some((cut) => cut.heading) ? LONGEST : WITHOUT_HEADINGS)
  const sections: Section[] = []
  let together = 0
  for (const [index, { at, heading }] of cuts.entries()) {
    const whole = page.text.slice(at, cuts[index + 1]?.at)
    const title = heading ? whole.replace(/\n.*/s, "") : ""
    for (const { 0: part, index: offset } of whole.matchAll(parts)) {
      const text = part.trimEnd()
      if (text === title) continue
      together += text.length
      if (together > LONGEST_TOGETHER || sections.length === MOST_SECTIONS) return sections
      const start = at + offset
      sections.push({
        id: `s${sections.length}`,
        title,
        text,
        rangeOf: (from, to) => rangeOf(page, start + from, start + to),
      })
    }
  }
  return sections
}

/** Where the text begins, and where each heading does that is seen. */
function cutsOf({ stretches }: Reading): Cut[] {
  const cuts: Cut[] = []
  for (const { node, at } of stretches) {
    const heading = node.parentElement?.closest(HEADING) ?? null
    const last = cuts.at(-1)
    if (!last || (heading && heading !== last.heading)) cuts.push({ at, heading })
  }
  return cuts
}

/** Finds parts no longer than `most`, cut between blocks, or else between words, or else anywhere. */
function partsOf(most: number): RegExp {
  const part = `\\S[^]{0,${most - 1}}`
  return RegExp(`${part}(?=\\n|$)|${part}(?=\\s)|${part}`, "gu")
}
