import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { request, type Counts, type RequestError, type Row, type RowsReply } from "./api"

const PAGE_SIZE = 100

export interface Rows {
  total: number
  counts: Counts | null
  error: RequestError | null
  /** Whether all rows of the run are known; if not, the first ones are shown. */
  indexed: boolean
  of: number
  loading: boolean
  /** The row at a place of the list; undefined until its page is loaded. */
  get: (place: number) => Row | undefined
  /** The place of a row that is loaded. */
  placeOf: (at: number | null) => number | undefined
  reload: () => void
}

interface State {
  key: string
  pages: Map<number, Row[]>
  reply: RowsReply | null
  error: RequestError | null
}

/** The rows that match, loaded a page at a time as they come into view. */
export function useRows(id: string, filters: string): Rows {
  const [turn, setTurn] = useState(0)
  const key = `${id} ${filters} ${turn}`
  const [state, setState] = useState<State>({ key: "", pages: new Map(), reply: null, error: null })
  const asked = useRef(new Set<string>())
  const load = (page: number) => {
    const name = `${key} ${page}`
    if (asked.current.has(name)) return
    asked.current.add(name)
    request<RowsReply>(`/runs/${id}/rows?${filters}&start=${page * PAGE_SIZE}&limit=${PAGE_SIZE}`).then(
      (reply) =>
        setState((now) => {
          if (now.key === key) return { ...now, reply, pages: new Map(now.pages).set(page, reply.rows) }
          return latest.current === key
            ? { key, reply, error: null, pages: new Map([[page, reply.rows]]) }
            : now
        }),
      (error: RequestError) => setState((now) => (latest.current === key ? { ...now, key, error } : now)),
    )
  }
  const latest = useRef(key)
  latest.current = key
  useEffect(() => {
    asked.current = new Set() // what was asked for before may be shown again
    load(0)
  }, [key])
  const pending = state.reply?.indexed === false
  useEffect(() => {
    if (!pending) return
    const timer = setInterval(() => setTurn((now) => now + 1), 2500)
    return () => clearInterval(timer)
  }, [pending])
  return useMemo(
    () => ({
      total: state.reply?.total ?? 0,
      counts: state.reply?.counts ?? null,
      error: state.error,
      indexed: state.reply?.indexed ?? true,
      of: state.reply?.of ?? 0,
      loading: state.key === "" && state.error === null,
      get: (place: number) => {
        const page = Math.floor(place / PAGE_SIZE)
        const rows = state.pages.get(page)
        if (!rows && state.key === key) queueMicrotask(() => load(page))
        return rows?.[place % PAGE_SIZE]
      },
      placeOf: (at: number | null) => {
        if (at === null) return undefined
        for (const [page, rows] of state.pages) {
          const found = rows.findIndex((row) => row.at === at)
          if (found >= 0) return page * PAGE_SIZE + found
        }
        return undefined
      },
      reload: () => setTurn((now) => now + 1),
    }),
    [state, key],
  )
}
