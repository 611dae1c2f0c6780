import type { RelatedSection } from "../api/shapes.ts"
import type { Client } from "../client/createClient.ts"
import { type Section, sectionsOf } from "../page/sections.ts"

/** A section of the page, and its sentence that answers the question. */
export interface SectionMatch {
  readonly section: Section
  readonly sentence: RelatedSection
}

/** The sections below `root` that answer a question, best first. */
export async function findRelated(
  client: Client,
  root: ParentNode,
  question: string,
  signal: AbortSignal,
): Promise<SectionMatch[]> {
  const sections = sectionsOf(root)
  if (!sections.length) return []
  const related = await client.related(question, sections, { signal })
  return related.flatMap((sentence) => {
    const section = sections.find(({ id }) => id === sentence.id)
    return section ? [{ section, sentence }] : []
  })
}
