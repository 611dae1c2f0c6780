import { useEffect, useRef, useState } from "preact/hooks"
import type { Outcome } from "../data/outcome"
import { request, send, type RequestError } from "./api"

export interface ReviewReply {
  queue: string
  next: number[]
  indexed: boolean
  label: string
  labels: string[]
  counts: Record<string, number>
  rows: number
  labelled: number
  mine: number
  sample: { labelled: number; skipped: number }
  raters: string[]
}

export interface ReviewRow {
  at: number
  id: string
  parts: { kind: "title" | "question" | "answer" | "expected" | "passage"; name: string; text: string }[]
  /** What this reviewer says of it, by the name of the label. */
  mine: Record<string, number>
}

export interface Machine {
  outcome: Outcome
  metric: string | null
  value: number | null
}

export interface Decision {
  at: number
  id: string
  kind: "label" | "skip"
  value: number
  /** What the machine says of the row; null until the decision is stored. */
  machine: Machine | null
  undone?: boolean
}

export interface Review {
  reply: ReviewReply | null
  /** The row that is shown, or being loaded; null where nothing is left. */
  current: number | null
  row: ReviewRow | null
  last: Decision | null
  canUndo: boolean
  error: RequestError | null
  decide: (what: { kind: "label"; value: number } | { kind: "skip" }) => void
  undo: () => void
  flag: () => void
  reload: () => void
}

const SKIPPED = "skipped"

/** A queue that is worked off: a decision shows the next row at once, and is stored meanwhile. */
export function useReview(id: string, rater: string, params: URLSearchParams): Review {
  const query = new URLSearchParams({ rater })
  for (const name of ["queue", "label", "baseline", "metric", "cutoff"])
    if (params.has(name)) query.set(name, params.get(name)!)
  const path = `/runs/${id}/review?${query}`
  const [reply, setReply] = useState<{ path: string; data: ReviewReply } | null>(null)
  const [error, setError] = useState<RequestError | null>(null)
  const [done, setDone] = useState<ReadonlySet<number>>(new Set())
  const [pinned, setPinned] = useState<number | null>(null)
  const [history, setHistory] = useState<Decision[]>([])
  const [last, setLast] = useState<Decision | null>(null)
  const [rows, setRows] = useState<ReadonlyMap<number, ReviewRow>>(new Map())
  const pending = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(path)
  latest.current = path
  const reload = () => {
    const asked = path
    request<ReviewReply>(asked).then(
      (data) => {
        if (latest.current !== asked) return
        setReply({ path: asked, data })
        setError(null)
      },
      (wrong: RequestError) => latest.current === asked && setError(wrong),
    )
  }
  useEffect(() => {
    setPinned(null)
    reload()
  }, [path])
  const known = reply?.path === path ? reply.data : null
  const ahead = (known?.next ?? []).filter((at) => !done.has(at))
  const current = pinned ?? ahead[0] ?? null
  const wanted = [current, ...ahead.slice(0, 2)].filter((at) => at !== null && !rows.has(at)) as number[]
  useEffect(() => {
    for (const at of new Set(wanted))
      request<ReviewRow>(`/runs/${id}/review/rows/${at}?${new URLSearchParams({ rater })}`).then(
        (row) => setRows((now) => new Map(now).set(at, row)),
        setError,
      )
  }, [wanted.join(" ")])
  const row = current === null ? null : (rows.get(current) ?? null)
  const label = known?.label ?? "correct"
  const store = (one: { id: string }, name: string, value: number | null) => {
    // One after the other: what is taken back must come after what was said.
    const stored = pending.current.then(() =>
      send<{ machine: Machine }>(`/runs/${id}/labels`, { id: one.id, name, value, rater }),
    )
    pending.current = stored.catch(() => null)
    return stored
  }
  const change = (at: number, name: string, value: number | null) =>
    setRows((now) => {
      const old = now.get(at)
      if (!old) return now
      const mine = { ...old.mine }
      if (value === null) delete mine[name]
      else mine[name] = value
      return new Map(now).set(at, { ...old, mine })
    })
  const putBack = (at: number) => {
    setDone((now) => new Set([...now].filter((one) => one !== at)))
    setPinned(at)
  }
  return {
    reply: known,
    current,
    row,
    last,
    canUndo: history.length > 0,
    error,
    reload,
    decide: (what) => {
      if (!row) return
      const one: Decision = {
        at: row.at,
        id: row.id,
        kind: what.kind,
        value: what.kind === "label" ? what.value : 1,
        machine: null,
      }
      setError(null)
      setDone((now) => new Set(now).add(one.at))
      setPinned(null)
      setHistory((now) => [...now, one])
      setLast(one)
      change(one.at, one.kind === "label" ? label : SKIPPED, one.value)
      store(row, one.kind === "label" ? label : SKIPPED, one.value).then(
        ({ machine }) => {
          setLast((now) => (now === one ? { ...one, machine } : now))
          reload()
        },
        (wrong: RequestError) => {
          setError(wrong) // nothing was stored: the row comes back
          setHistory((now) => now.filter((each) => each !== one))
          setLast(null)
          putBack(one.at)
        },
      )
    },
    undo: () => {
      const one = history.at(-1)
      if (!one) return
      const name = one.kind === "label" ? label : SKIPPED
      setHistory((now) => now.slice(0, -1))
      store(one, name, null).then(() => {
        change(one.at, name, null)
        setLast(null)
        reload()
      }, setError)
      putBack(one.at)
    },
    flag: () => {
      if (!row) return
      const value = row.mine.flag === 1 ? null : 1
      change(row.at, "flag", value)
      store(row, "flag", value).then(reload, setError)
    },
  }
}
