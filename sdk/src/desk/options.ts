import type { ClientOptions } from "../client/createClient.ts"
import type { Strings } from "./strings.ts"

export interface MountOptions extends Omit<ClientOptions, "wait"> {
  /** A CSS selector: only selections inside it count. Without it, the whole body. */
  scope?: string | undefined
  /** The element that our own node is put into. Without it, the body. */
  root?: Element | undefined
  /** Words to be used instead of the English ones. */
  strings?: { [Name in keyof Strings]?: string | undefined } | undefined
  /** The language of `strings`. Without it, that of the page. */
  lang?: string | undefined
  dir?: "ltr" | "rtl" | undefined
  /** Whether other sections of the page are sent when the selection does not answer. Without it, yes. */
  related?: boolean | undefined
  /** The keys that open the dialog for the selection, written as for `aria-keyshortcuts`: "Alt+Shift+A". */
  shortcut?: string | undefined
  /** Whether readers can say if an answer was helpful. Without it, yes. */
  feedback?: boolean | undefined
  /** Without it, as the reader's system has it. */
  theme?: "light" | "dark" | "auto" | undefined
}

export interface Handle {
  /** Opens the dialog for a range, or for what is selected; without either, nothing opens. */
  open(range?: Range): void
  /** Closes the dialog; a question that is under way is given up. */
  close(): void
  /** Takes away everything that was put into the page. */
  destroy(): void
}

/** What can stand in markup; `api-key` is for where `key` has another meaning. */
export const ATTRIBUTES: readonly string[] =
  "endpoint key api-key scope lang dir theme shortcut related feedback".split(" ")

/** Options from the attributes of a tag, as `read` finds them; "off" and "false" turn one off. */
export function optionsFrom(
  read: (name: string) => string | null | undefined,
  endpoint: string,
): MountOptions {
  const found: Record<string, string | boolean> = { endpoint }
  for (const name of ATTRIBUTES) {
    const value = read(name)
    if (value != null) found[name.replace("api-", "")] = !/^(off|false)$/.test(value) && value
  }
  return found as Record<string, string | boolean> & MountOptions
}
