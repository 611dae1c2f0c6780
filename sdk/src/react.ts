"use client"

import { useEffect, useState } from "react"
import { mount } from "./widget/mount.ts"
import type { MountOptions } from "./widget/options.ts"

/** The options of `mount`; the key has another name, since React reserves `key`. */
export interface SensecheckAskProps extends Omit<MountOptions, "key"> {
  apiKey?: string | undefined
}

/**
 * Mounts the widget while it is rendered; it renders nothing itself.
 * It remounts only when an option changes. `strings` and `suggestions` may be inline: their contents are compared.
 */
export function SensecheckAsk({ apiKey, ...rest }: SensecheckAskProps): null {
  const options: MountOptions = apiKey === undefined ? { ...rest } : { ...rest, key: apiKey }
  if (typeof rest.suggestions === "object") options.suggestions = rest.suggestions.join("|")
  const [mounted, setMounted] = useState(options)
  if (
    !isSame({ ...mounted, strings: 0 }, { ...options, strings: 0 }) ||
    !isSame(mounted.strings, options.strings)
  ) {
    setMounted(options)
  }
  useEffect(() => {
    const widget = mount(mounted)
    return () => widget.destroy()
  }, [mounted])
  return null
}

function isSame(one: object = {}, other: object = {}): boolean {
  const before = new Map(Object.entries(one))
  const after = Object.entries(other)
  return before.size === after.length && after.every(([name, value]) => Object.is(before.get(name), value))
}
