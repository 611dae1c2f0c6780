import type { PrepareAnswers } from "../answers/index.ts"
import { createElement } from "../widget/dom.ts"
import type { Strings } from "../widget/strings.ts"

/** The digest of `answers.js`, filled in by the build: who pins this script pins that one, too. */
declare const ANSWERS_INTEGRITY: string

const { currentScript } = document
const { src, nonce } = (currentScript ?? {}) as Partial<HTMLScriptElement>

/** The texts of a language, from the folder of the script: data, which is never run. */
export async function loadLanguage(code: string): Promise<Strings | undefined> {
  const response = await fetch(urlOf(`languages/${code}.json`), { credentials: "omit" })
  return response.ok ? response.json() : undefined
}

let loading: Promise<PrepareAnswers> | undefined

/** What only an answer needs; a failure is tried again with the next question. */
export function loadAnswers(): Promise<PrepareAnswers> {
  loading ??= runAnswers().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Runs `answers.js` from the folder of the script, under the policies that allow the script itself. */
function runAnswers(): Promise<PrepareAnswers> {
  return new Promise((resolve, reject) => {
    const url = urlOf("answers.js")
    const script = createElement("script", {
      crossOrigin: "anonymous",
      integrity: ANSWERS_INTEGRITY,
      nonce: nonce ?? "",
      onload: () => resolve((script as unknown as { prepareAnswers: PrepareAnswers }).prepareAnswers),
      onerror: reject,
    })
    const { trustedTypes } = window as unknown as {
      trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }
    }
    script.src = trustedTypes
      ? trustedTypes.createPolicy("sensecheck", { createScriptURL: () => url }).createScriptURL(url)
      : url
    document.head.append(script)
    script.remove() // it is loaded all the same
  })
}

const urlOf = (name: string) => new URL(name, src).href
