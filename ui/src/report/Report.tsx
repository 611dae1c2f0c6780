import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { View } from "../data/viewState"
import type { Filter } from "../data/filter"
import type { Index } from "../data/run"
import type { Store } from "../data/store"
import { Grid } from "../components/Grid"
import { Help } from "../components/Help"
import { useKeys } from "../components/useKeys"
import { useTheme } from "../components/Theme"
import { FilterBar } from "./FilterBar"
import { Header } from "./Header"
import { Overview } from "./Overview"
import { Scores } from "./Scores"
import { NAMES, Tabs } from "./Tabs"
import { TestDetail } from "./TestDetail"
import { TestList } from "./TestList"
import { usePrintTable } from "./PrintTable"
import { useListedRows } from "./useListedRows"
import { useViewState } from "./useViewState"

/** The report of a run. */
export function Report({ store }: { store: Store }) {
  const { index } = store
  const [{ filter, open, view, order }, update] = useViewState(index)
  const { listed, searching } = useListedRows(store, filter, order)
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const main = useRef<HTMLElement>(null)
  const several = index.sources.length * index.wordings.length > 1
  const choose = (chosen: Filter) =>
    update({ filter: chosen, ...(isNarrow() ? { view: "tests" as const, open: null } : {}) })
  usePrintTable(index, listed)
  const escape = () => {
    const typing = document.activeElement === field.current
    if (typing && filter.query) update({ filter: { ...filter, query: "" } })
    else if (typing) field.current?.blur()
    else update({ open: null })
  }
  const goTo = (target: (open: number | null) => number | null) => {
    focusList()
    update((state) => ({ open: target(state.open) }))
  }
  const next = () => goTo((open) => rowAfterSteps(listed, open, 1))
  const previous = () => goTo((open) => rowAfterSteps(listed, open, -1))
  useKeys({
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    n: () => goTo((open) => nextNotPassed(index, listed, open)),
    Enter: () => (open === null ? next() : heading.current?.focus()),
    "/": () => field.current?.focus(),
    "?": () => setHelp(true),
    t: nextTheme,
    Escape: escape,
  })
  useTitle(index.battery)
  useScrollToTop(main, open, view)
  const shownView = several || view !== "grid" ? view : "overview"
  const shown = open !== null ? "detail" : view === "tests" ? "tests" : "view"
  return (
    <div class="shell" data-shown={shown}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById("main")?.focus()
        }}
      >
        Skip the list of tests
      </a>
      <Header
        {...{ index, filter, theme }}
        onFilter={choose}
        onTheme={nextTheme}
        onHelp={() => setHelp(true)}
      />
      <Tabs
        view={view}
        several={several}
        closed={open === null}
        onView={(chosen) => update({ view: chosen, open: null })}
      />
      <nav class="side" aria-label="Tests">
        <FilterBar
          {...{ index, filter, order, searching, field }}
          onFilter={(chosen) => update({ filter: chosen })}
          onOrder={(chosen) => update({ order: chosen })}
          matchCount={listed.length}
        />
        <TestList {...{ index, listed, open }} onOpen={(row) => update({ open: row })} />
      </nav>
      <main ref={main} id="main" class="main" tabIndex={0}>
        {open !== null ? (
          <TestDetail
            store={store}
            row={open}
            heading={heading}
            onOpen={(row) => {
              heading.current?.focus()
              update({ open: row })
            }}
            onClose={() => update({ open: null })}
          />
        ) : (
          <>
            <h2 class="sr">{NAMES[shownView]}</h2>
            <ActiveView
              view={shownView}
              {...{ index, listed, filter }}
              onFilter={choose}
              onOpen={(row) => update({ open: row })}
            />
          </>
        )}
      </main>
      <Help open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

interface ViewProps {
  view: View
  index: Index
  listed: readonly number[]
  onOpen: (row: number) => void
  filter: Filter
  onFilter: (filter: Filter) => void
}

function ActiveView({ view, index, listed, onOpen, filter, onFilter }: ViewProps) {
  if (view === "grid") return <Grid {...{ index, listed, onOpen }} open={null} />
  if (view === "scores") return <Scores index={index} rows={listed} />
  return (
    <Overview
      index={index}
      rows={listed}
      onSource={(source) => onFilter({ ...filter, source })}
      onAssertion={(assertion) => onFilter({ ...filter, assertion })}
    />
  )
}

/** The row N steps further down the list, limited to its ends. */
function rowAfterSteps(listed: readonly number[], open: number | null, by: number): number | null {
  const at = (open === null ? -1 : listed.indexOf(open)) + by
  return listed[Math.max(0, Math.min(listed.length - 1, at))] ?? null
}

/** The next test that did not pass; without one, the open test. */
function nextNotPassed({ rows }: Index, listed: readonly number[], open: number | null): number | null {
  const at = open === null ? -1 : listed.indexOf(open)
  return listed.slice(at + 1).find((row) => rows.outcome[row] !== "pass") ?? open
}

/** Moves the focus into the list: otherwise Enter would press the last button again. */
function focusList(): void {
  document.getElementById("list")?.focus({ preventScroll: true })
}

function isNarrow(): boolean {
  return matchMedia("(max-width: 56rem)").matches
}

/** Scrolls to the top when something else is shown. */
function useScrollToTop(main: { current: HTMLElement | null }, ...shown: unknown[]): void {
  useLayoutEffect(() => {
    if (main.current) main.current.scrollTop = 0
  }, shown)
}

function useTitle(battery: string): void {
  useEffect(() => {
    document.title = `${battery} · sensecheck`
  }, [battery])
}
