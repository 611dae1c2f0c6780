import type { ClientOptions } from "../client/createClient.ts"
import type { CustomStrings } from "./strings.ts"

export interface MountOptions extends Omit<ClientOptions, "wait"> {
  /** A CSS selector: only selections inside it count. Default: the body. */
  scope?: string | undefined
  /** The parent of the widget's node, or a CSS selector of it. Default: the body. */
  root?: Element | string | undefined
  /** Texts that replace those of the language. */
  strings?: CustomStrings | undefined
  /** The language of the widget's texts. Default: that of the page. */
  lang?: string | undefined
  dir?: "ltr" | "rtl" | undefined
  /** Whether other sections of the page are searched if the selection does not answer. Default: true. */
  related?: boolean | undefined
  /** The keys that open the dialog for the selection, written as for `aria-keyshortcuts`: "Alt+Shift+A". */
  shortcut?: string | undefined
  /** Whether readers can rate answers. Default: true. */
  feedback?: boolean | undefined
  /** Whether earlier answers stay in the dialog. Default: true. */
  history?: boolean | undefined
  /**
   * Questions to choose from; as text, separated by `|`. Inside of an element with `data-sensecheck-suggestions`,
   * that attribute applies instead.
   */
  suggestions?: string | readonly string[] | undefined
  /** Default: that of the page. */
  theme?: "light" | "dark" | "auto" | undefined
  /** Colours and font, as CSS; instead of `--sensecheck-accent` and so on. */
  accent?: string | undefined
  text?: string | undefined
  background?: string | undefined
  font?: string | undefined
}

export interface Handle {
  /** Opens the dialog for a range, or for the selection; without either, nothing opens. */
  open(range?: Range): void
  /** Closes the dialog and cancels a running question. */
  close(): void
  /** Removes everything from the page. */
  destroy(): void
}

/** The options that can be attributes; `api-key` is for frameworks in which `key` has another meaning. */
export const ATTRIBUTES: readonly string[] =
  "endpoint key api-key scope root lang dir theme accent text background font shortcut related feedback history suggestions strings timeout idle-timeout retries".split(
    " ",
  )

/** Options from attributes, which `read` returns by name; "off" and "false" disable one. */
export function optionsFrom(
  read: (name: string) => string | null | undefined,
  endpoint: string,
): MountOptions {
  const options: Record<string, unknown> = { endpoint }
  for (const name of ATTRIBUTES) {
    const value = read(name)
    if (value == null) continue
    // Numbers and `strings` are JSON.
    const isJson = /^(strings|.*timeout|retries)$/.test(name)
    options[name === "api-key" ? "key" : name.replace("-t", "T")] = isJson
      ? JSON.parse(value)
      : !/^(off|false)$/.test(value) && value
  }
  return options as Record<string, unknown> & MountOptions
}
