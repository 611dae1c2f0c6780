import { useEffect, useState } from "preact/hooks"
import { fromHash, toHash, type Looked } from "../data/address"
import type { Index } from "../data/run"

/** Look at something else: given outright, or found from what is looked at now. */
export type Look = (part: Partial<Looked> | ((now: Looked) => Partial<Looked>)) => void

/** What is being looked at; the page's address follows it, and it follows the address. */
export function useLooked(index: Index): [Looked, Look] {
  const [looked, setLooked] = useState(() => fromHash(index, location.hash))
  useEffect(() => {
    const hash = toHash(index, looked)
    if (hash !== location.hash.replace(/^#/, "")) history.replaceState(null, "", hash ? `#${hash}` : "#")
  }, [index, looked])
  useEffect(() => {
    const follow = () => setLooked(fromHash(index, location.hash))
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [index])
  const look: Look = (part) => {
    setLooked((now) => ({ ...now, ...(typeof part === "function" ? part(now) : part) }))
  }
  return [looked, look]
}
