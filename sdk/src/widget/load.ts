import type { PrepareAnswers } from "../answers/index.ts"
import type { Strings } from "./strings.ts"

type Language = () => Promise<{ strings: Strings }>

/** Each is a chunk of its own for a bundler. English is always there. */
const LANGUAGES: Record<string, Language> = {
  de: () => import("../languages/de.ts"),
  es: () => import("../languages/es.ts"),
  fr: () => import("../languages/fr.ts"),
  it: () => import("../languages/it.ts"),
  ja: () => import("../languages/ja.ts"),
  nl: () => import("../languages/nl.ts"),
  pl: () => import("../languages/pl.ts"),
  pt: () => import("../languages/pt.ts"),
  zh: () => import("../languages/zh.ts"),
}

/** The texts of a language, by its code of two letters. */
export async function loadLanguage(code: string): Promise<Strings | undefined> {
  return (await LANGUAGES[code]?.())?.strings
}

/** What only an answer needs. */
export async function loadAnswers(): Promise<PrepareAnswers> {
  return (await import("../answers/index.ts")).prepareAnswers
}
