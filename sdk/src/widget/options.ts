import type { ClientOptions } from "../client/createClient.ts"
import type { Strings } from "./strings.ts"

export interface MountOptions extends Omit<ClientOptions, "wait"> {
  /** A CSS selector: only selections inside it count. Default: the body. */
  scope?: string | undefined
  /** The parent of the widget's node. Default: the body. */
  root?: Element | undefined
  /** Texts that replace the English ones. */
  strings?: { [Name in keyof Strings]?: string | undefined } | undefined
  /** The language of `strings`. Default: that of the page. */
  lang?: string | undefined
  dir?: "ltr" | "rtl" | undefined
  /** Whether other sections of the page are searched if the selection does not answer. Default: true. */
  related?: boolean | undefined
  /** The keys that open the dialog for the selection, written as for `aria-keyshortcuts`: "Alt+Shift+A". */
  shortcut?: string | undefined
  /** Whether readers can rate answers. Default: true. */
  feedback?: boolean | undefined
  /** Default: the setting of the reader's system. */
  theme?: "light" | "dark" | "auto" | undefined
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
  "endpoint key api-key scope lang dir theme shortcut related feedback".split(" ")

/** Options from attributes, which `read` returns by name; "off" and "false" disable one. */
export function optionsFrom(
  read: (name: string) => string | null | undefined,
  endpoint: string,
): MountOptions {
  const options: Record<string, string | boolean> = { endpoint }
  for (const name of ATTRIBUTES) {
    const value = read(name)
    if (value != null) options[name.replace("api-", "")] = !/^(off|false)$/.test(value) && value
  }
  return options as Record<string, string | boolean> & MountOptions
}
