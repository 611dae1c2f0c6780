import { useEffect, useRef } from "preact/hooks"

/** What each key does; a key that is not there is left to the browser. */
export type Keys = Record<string, () => void>

/** Listens to keys wherever the focus is, except where they already mean something. */
export function useKeys(keys: Keys): void {
  // Always the newest: a second press may come before effects have run.
  const newest = useRef(keys)
  newest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = newest.current[event.key]
      if (!act || isSpokenFor(event)) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", pressed)
    return () => document.removeEventListener("keydown", pressed)
  }, [])
}

/** Letters are typed into fields, buttons are pressed, what is read is scrolled, a dialog is closed. */
function isSpokenFor(event: KeyboardEvent): boolean {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  if (document.querySelector("dialog[open]")) return true
  if (!(target instanceof Element)) return false
  if (target.matches("input, select, textarea")) return key !== "Escape"
  if (target.matches("button, a, summary")) return key === "Enter" || key === " "
  return key.startsWith("Arrow") && target.closest("main") !== null
}
