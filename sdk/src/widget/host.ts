import { createElement } from "./dom.ts"
import type { MountOptions } from "./options.ts"
import { STYLES } from "./styles.ts"
import { schemeOf, watchTheme } from "./theme.ts"

/** The options that are CSS properties of the same name. */
const PROPERTIES = ["accent", "text", "background", "font"] as const

/** The only node of the widget in the page, with a shadow root that isolates it from the page's styles. */
export function createHost(options: MountOptions, lang: string, signal: AbortSignal): ShadowRoot {
  const { root, theme, dir } = options
  const parent = typeof root === "string" ? document.querySelector(root) : (root ?? document.body)
  if (!parent) throw new Error("mount() needs a <body>, or a `root`")
  const host = createElement("div", { lang })
  const { style } = host
  host.dataset["sensecheckOff"] = ""
  if (dir) host.dir = dir
  for (const name of PROPERTIES) style.setProperty(`--sensecheck-${name}`, options[name] ?? "")
  const shadow = host.attachShadow({ mode: "open" })
  addStyles(shadow, STYLES)
  parent.append(host)
  const isFixed = theme === "light" || theme === "dark"
  watchTheme(signal, () => style.setProperty("--sensecheck-scheme", isFixed ? theme : schemeOf(parent)))
  return shadow
}

/** A constructed style sheet is allowed by policies that forbid inline styles. */
export function addStyles(shadow: ShadowRoot, css: string): void {
  const styleSheet = new CSSStyleSheet()
  styleSheet.replaceSync(css)
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, styleSheet]
}
