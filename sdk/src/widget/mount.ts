import { createClient } from "../client/createClient.ts"
import { loadLanguage } from "./load.ts"
import type { Handle, MountOptions } from "./options.ts"
import { DIALOG_ENGLISH, withDefaults } from "./strings.ts"
import { createWidget } from "./widget.ts"

/** The languages that are loaded when they are needed; English is always there. */
const LANGUAGES = /^(de|es|fr|it|ja|nl|pl|pt|zh)\b/i

/**
 * Lets readers of a page select a passage and ask about it, in the language of the page. Invalid options are reported
 * here; another language than English is loaded first, and if it cannot be, the texts are English.
 */
export function mount(options: MountOptions): Handle {
  const client = createClient(options)
  document.querySelector(options.scope ?? "body") // throws when it is no selector
  const { strings } = options
  const lang = options.lang ?? document.documentElement.lang
  const code = LANGUAGES.exec(lang)?.[0].toLowerCase()
  // Texts in a language that the widget does not have are English, unless the site has its own.
  const english = () =>
    createWidget(
      options,
      client,
      withDefaults(DIALOG_ENGLISH, strings),
      options.lang ?? (strings ? lang : "en"),
    )
  if (!code) return english()

  let widget: Handle | undefined
  let isDestroyed = false
  const ready = loadLanguage(code)
    .then((texts) => {
      if (!texts) throw new TypeError(code)
      if (!isDestroyed) widget = createWidget(options, client, withDefaults(texts, strings), lang)
    })
    .catch(() => {
      if (!isDestroyed && !widget) widget = english()
    })
  return {
    open: (range) => void ready.then(() => widget?.open(range)),
    close: () => widget?.close(),
    destroy() {
      isDestroyed = true
      widget?.destroy()
    },
  }
}
