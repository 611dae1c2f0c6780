import { useEffect, useMemo, useState } from "preact/hooks"
import { filterRows, type Filter } from "../data/filter"
import { sortRows, type Order } from "../data/order"
import { Search } from "../data/search"
import type { Store } from "../data/store"

interface ListedRows {
  listed: readonly number[]
  /** Whether texts are still being unpacked for the search. */
  searching: boolean
}

/** The rows that match a filter, sorted. */
export function useListedRows(store: Store, filter: Filter, order: Order): ListedRows {
  const search = useMemo(() => new Search(store), [store])
  const [complete, setComplete] = useState(false)
  const hasQuery = filter.query.trim() !== ""
  useEffect(() => {
    if (hasQuery && !search.complete) void search.readTexts().then(() => setComplete(true))
  }, [hasQuery, search])
  const matching = useMemo(
    () => filterRows(store.index, filter, search.textOf),
    [store, filter, search, complete],
  )
  const listed = useMemo(() => sortRows(store.index, matching, order), [store, matching, order])
  return { listed, searching: hasQuery && !complete }
}
