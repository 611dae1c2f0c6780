import type { RelatedSection } from "../api/shapes.ts"
import type { Client } from "../client/createClient.ts"
import { type Section, sectionsOf } from "../page/sections.ts"

/** A section of the page, and the sentence in it that answers. */
export interface Place {
  readonly section: Section
  readonly found: RelatedSection
}

/** The sections below `root` that answer a question, surest first. */
export async function lookElsewhere(
  client: Client,
  root: ParentNode,
  question: string,
  signal: AbortSignal,
): Promise<Place[]> {
  const sections = sectionsOf(root)
  if (!sections.length) return []
  const related = await client.related(question, sections, { signal })
  return related.flatMap((found) => {
    const section = sections.find(({ id }) => id === found.id)
    return section ? [{ section, found }] : []
  })
}
