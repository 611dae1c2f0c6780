import { createElement } from "./dom.ts"
import type { MountOptions } from "./options.ts"
import { STYLES } from "./styles.ts"

/** The only node of the widget in the page, with a shadow root that isolates it from the page's styles. */
export function createHost({ root, theme, lang, dir }: MountOptions): ShadowRoot {
  const parent: Element | null = root ?? document.body
  if (!parent) throw new Error("mount() needs a <body>, or a `root`")
  const host = createElement("div", {})
  host.dataset["sensecheckOff"] = ""
  if (lang) host.lang = lang
  if (dir) host.dir = dir
  if (theme && theme !== "auto") host.style.setProperty("--sensecheck-scheme", theme)
  const shadow = host.attachShadow({ mode: "open" })
  // A constructed style styleSheet is allowed by policies that forbid inline styles.
  const styleSheet = new CSSStyleSheet()
  styleSheet.replaceSync(STYLES)
  shadow.adoptedStyleSheets = [styleSheet]
  parent.append(host)
  return shadow
}
