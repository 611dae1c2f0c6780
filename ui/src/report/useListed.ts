import { useEffect, useMemo, useState } from "preact/hooks"
import { fitting, type Filter } from "../data/filter"
import { ordered, type Order } from "../data/order"
import { Search } from "../data/search"
import type { Store } from "../data/store"

interface Listed {
  listed: readonly number[]
  /** Whether there are texts still to be searched. */
  searching: boolean
}

/** The rows that fit a filter, in an order. */
export function useListed(store: Store, filter: Filter, order: Order): Listed {
  const search = useMemo(() => new Search(store), [store])
  const [complete, setComplete] = useState(false)
  const asked = filter.words.trim() !== ""
  useEffect(() => {
    if (asked && !search.complete) void search.readTexts().then(() => setComplete(true))
  }, [asked, search])
  const fits = useMemo(() => fitting(store.index, filter, search.said), [store, filter, search, complete])
  const listed = useMemo(() => ordered(store.index, fits, order), [store, fits, order])
  return { listed, searching: asked && !complete }
}
