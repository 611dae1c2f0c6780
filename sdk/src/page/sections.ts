import { readText } from "./readText.ts"
import { type PageText, rangeOf } from "./textMap.ts"

export interface Section {
  readonly id: string
  /** Text of its heading; empty for the text before the first heading. */
  readonly title: string
  /** Including the heading. */
  readonly text: string
  /** The range of these characters in the page. */
  rangeOf(start: number, end: number): Range | null
}

/** Limits of the service. */
const MAX_SECTIONS = 60
const MAX_SECTION_CHARS = 10_000
const MAX_TOTAL_CHARS = 60_000
/** Maximum length of a section in a page without headings. */
const MAX_CHARS_WITHOUT_HEADINGS = 2_000

const HEADING = "h1,h2,h3,h4,h5,h6"
const NAVIGATION = "nav,aside,footer,[role=navigation],header:not(main *,article *)"

interface SectionStart {
  readonly at: number
  readonly heading: Element | null
}

/** The sections of a page, split at its headings, within the limits of the service. */
export function sectionsOf(root: ParentNode): Section[] {
  const page = readText(root, { without: NAVIGATION, folded: true })
  const starts = sectionStarts(page)
  const parts = partPattern(
    starts.some((start) => start.heading) ? MAX_SECTION_CHARS : MAX_CHARS_WITHOUT_HEADINGS,
  )
  const sections: Section[] = []
  let totalChars = 0
  for (const [index, { at, heading }] of starts.entries()) {
    const content = page.text.slice(at, starts[index + 1]?.at)
    const title = heading ? content.replace(/\n.*/s, "") : ""
    for (const { 0: part, index: offset } of content.matchAll(parts)) {
      const text = part.trimEnd()
      if (text === title) continue
      totalChars += text.length
      if (totalChars > MAX_TOTAL_CHARS || sections.length === MAX_SECTIONS) return sections
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

/** The start of the text, and of each visible heading. */
function sectionStarts({ segments }: PageText): SectionStart[] {
  const starts: SectionStart[] = []
  for (const { node, at } of segments) {
    const heading = node.parentElement?.closest(HEADING) ?? null
    const last = starts.at(-1)
    if (!last || (heading && heading !== last.heading)) starts.push({ at, heading })
  }
  return starts
}

/** Matches parts of at most `maxChars`, split between blocks, else between words, else anywhere. */
function partPattern(maxChars: number): RegExp {
  const part = `\\S[^]{0,${maxChars - 1}}`
  return RegExp(`${part}(?=\\n|$)|${part}(?=\\s)|${part}`, "gu")
}
