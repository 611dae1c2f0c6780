import { useEffect, useState } from "preact/hooks"
import { fromHash, toHash, type ViewState } from "../data/viewState"
import type { Index } from "../data/run"

/** Changes a part of the state: given directly, or computed from the current state. */
export type UpdateView = (part: Partial<ViewState> | ((current: ViewState) => Partial<ViewState>)) => void

/** The state of the page, kept in sync with its address. */
export function useViewState(index: Index): [ViewState, UpdateView] {
  const [state, setState] = useState(() => fromHash(index, location.hash))
  useEffect(() => {
    const hash = toHash(index, state)
    if (hash !== location.hash.replace(/^#/, "")) history.replaceState(null, "", hash ? `#${hash}` : "#")
  }, [index, state])
  useEffect(() => {
    const follow = () => setState(fromHash(index, location.hash))
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [index])
  const update: UpdateView = (part) => {
    setState((current) => ({ ...current, ...(typeof part === "function" ? part(current) : part) }))
  }
  return [state, update]
}
