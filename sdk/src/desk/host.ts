import { make } from "./nodes.ts"
import type { MountOptions } from "./options.ts"
import { STYLES } from "./styles.ts"

/** The one node that we put into the page, with a shadow that keeps the page's styles out. */
export function createHost({ root, theme, lang, dir }: MountOptions): ShadowRoot {
  const parent: Element | null = root ?? document.body
  if (!parent) throw new Error("mount() wants a <body>, or a `root`")
  const host = make("div", {})
  host.dataset["sensecheckOff"] = ""
  if (lang) host.lang = lang
  if (dir) host.dir = dir
  if (theme && theme !== "auto") host.style.setProperty("--sensecheck-scheme", theme)
  const shadow = host.attachShadow({ mode: "open" })
  // A constructed sheet is allowed by policies that allow no inline styles.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  shadow.adoptedStyleSheets = [sheet]
  parent.append(host)
  return shadow
}
