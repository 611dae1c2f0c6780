import { useEffect, useRef } from "preact/hooks"

/** Actions by key; other keys are left to the browser. */
export type Keys = Record<string, () => void>

/** Handles keys wherever the focus is, except where they already have a meaning. */
export function useKeys(keys: Keys): void {
  // Always the latest handlers: a second key may be pressed before effects have run.
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = latest.current[event.key]
      if (!act || isReserved(event)) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", pressed)
    return () => document.removeEventListener("keydown", pressed)
  }, [])
}

/** Whether a key already has a meaning: for a field, a button, a scrolling area or a dialog. */
function isReserved(event: KeyboardEvent): boolean {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  if (document.querySelector("dialog[open]")) return true
  if (!(target instanceof Element)) return false
  if (target.matches("input, select, textarea")) return key !== "Escape"
  if (target.matches("button, a, summary")) return key === "Enter" || key === " "
  return key.startsWith("Arrow") && target.closest("main") !== null
}
