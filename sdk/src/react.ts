"use client"

import { useEffect, useState } from "react"
import { mount } from "./desk/mount.ts"
import type { MountOptions } from "./desk/options.ts"

/** The options of `mount`; the key has another name here, since React keeps `key` for itself. */
export interface SensecheckAskProps extends Omit<MountOptions, "key"> {
  apiKey?: string | undefined
}

/**
 * Readers can ask for as long as this is rendered; it draws nothing where it stands.
 * It mounts anew only when an option has changed. `strings` may be written in place: its words are compared.
 */
export function SensecheckAsk({ apiKey, ...rest }: SensecheckAskProps): null {
  const given: MountOptions = apiKey === undefined ? rest : { ...rest, key: apiKey }
  const [kept, keep] = useState(given)
  if (!isSame({ ...kept, strings: 0 }, { ...given, strings: 0 }) || !isSame(kept.strings, given.strings)) {
    keep(given)
  }
  useEffect(() => {
    const desk = mount(kept)
    return () => desk.destroy()
  }, [kept])
  return null
}

function isSame(one: object = {}, other: object = {}): boolean {
  const before = new Map(Object.entries(one))
  const after = Object.entries(other)
  return before.size === after.length && after.every(([name, value]) => Object.is(before.get(name), value))
}
