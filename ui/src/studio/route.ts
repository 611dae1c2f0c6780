import { useEffect, useState } from "preact/hooks"
import { BASE } from "./api"

/** What the address of the page asks for. */
export interface Route {
  page: "runs" | "run" | "review" | "calibrate" | "compare" | "week"
  /** The run of a page of one. */
  id: string
  params: URLSearchParams
}

/** Another address, or a change of the parameters of this one; null removes a parameter. */
export type Go = (to: string) => void
export type SetParams = (change: Record<string, string | null>, replace?: boolean) => void

export function routeOf(pathname: string, search: string): Route {
  const params = new URLSearchParams(search)
  const rest = pathname.replace(BASE, "").replace(/^\/|\/$/g, "")
  if (rest.startsWith("runs/")) {
    const [id = "", part] = rest.slice(5).split("/")
    const page = part === "review" || part === "calibrate" ? part : "run"
    return { page, id: decodeURIComponent(id), params }
  }
  return { page: rest === "compare" || rest === "week" ? rest : "runs", id: "", params }
}

export const WEEK = `${BASE}/week`

export const runLink = (id: string, params = "") =>
  `${BASE}/runs/${encodeURIComponent(id)}${params && `?${params}`}`

const partLink =
  (part: string) =>
  (id: string, params = "") =>
    `${BASE}/runs/${encodeURIComponent(id)}/${part}${params && `?${params}`}`
export const reviewLink = partLink("review")
export const calibrateLink = partLink("calibrate")

export function compareLink(baseline: string, runs: readonly string[]): string {
  const params = new URLSearchParams([["baseline", baseline], ...runs.map((run) => ["run", run])])
  return `${BASE}/compare?${params}`
}

/** The address as state: links change it without loading the page again. */
export function useRoute(): { route: Route; go: Go; setParams: SetParams } {
  const [route, setRoute] = useState(() => routeOf(location.pathname, location.search))
  useEffect(() => {
    const follow = () => setRoute(routeOf(location.pathname, location.search))
    window.addEventListener("popstate", follow)
    return () => window.removeEventListener("popstate", follow)
  }, [])
  const show = (to: string, replace: boolean) => {
    history[replace ? "replaceState" : "pushState"](null, "", to)
    setRoute(routeOf(location.pathname, location.search))
  }
  return {
    route,
    go: (to) => {
      show(to, false)
      scrollTo(0, 0)
    },
    setParams: (change, replace = true) => {
      const params = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === "") params.delete(name)
        else params.set(name, value)
      }
      const query = params.toString()
      show(location.pathname + (query && `?${query}`), replace)
    },
  }
}
