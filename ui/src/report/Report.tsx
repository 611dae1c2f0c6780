import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { View } from "../data/address"
import type { Filter } from "../data/filter"
import type { Index } from "../data/run"
import type { Store } from "../data/store"
import { Grid } from "../pieces/Grid"
import { Help } from "../pieces/Help"
import { useKeys } from "../pieces/keyboard"
import { useTheme } from "../pieces/Theme"
import { FilterBar } from "./FilterBar"
import { Head } from "./Head"
import { Overview } from "./Overview"
import { Scores } from "./Scores"
import { NAMES, Tabs } from "./Tabs"
import { TestDetail } from "./TestDetail"
import { TestList } from "./TestList"
import { usePaper } from "./Paper"
import { useListed } from "./useListed"
import { useLooked } from "./useLooked"

/** The whole page. */
export function Report({ store }: { store: Store }) {
  const { index } = store
  const [{ filter, open, view, order }, look] = useLooked(index)
  const { listed, searching } = useListed(store, filter, order)
  const [theme, nextTheme] = useTheme()
  const [help, setHelp] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const main = useRef<HTMLElement>(null)
  const several = index.sources.length * index.wordings.length > 1
  const choose = (chosen: Filter) =>
    look({ filter: chosen, ...(isNarrow() ? { view: "tests" as const, open: null } : {}) })
  usePaper(index, listed)
  const escape = () => {
    const typing = document.activeElement === field.current
    if (typing && filter.words) look({ filter: { ...filter, words: "" } })
    else if (typing) field.current?.blur()
    else look({ open: null })
  }
  const goTo = (found: (now: number | null) => number | null) => {
    toList()
    look((now) => ({ open: found(now.open) }))
  }
  const next = () => goTo((now) => stepped(listed, now, 1))
  const before = () => goTo((now) => stepped(listed, now, -1))
  useKeys({
    j: next,
    ArrowDown: next,
    k: before,
    ArrowUp: before,
    n: () => goTo((now) => nextUnpassed(index, listed, now)),
    Enter: () => (open === null ? next() : heading.current?.focus()),
    "/": () => field.current?.focus(),
    "?": () => setHelp(true),
    t: nextTheme,
    Escape: escape,
  })
  useTitle(index.battery)
  useTop(main, open, view)
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
      <Head
        {...{ index, filter, theme }}
        onFilter={choose}
        onTheme={nextTheme}
        onHelp={() => setHelp(true)}
      />
      <Tabs
        view={view}
        several={several}
        closed={open === null}
        onView={(chosen) => look({ view: chosen, open: null })}
      />
      <nav class="side" aria-label="Tests">
        <FilterBar
          {...{ index, filter, order, searching, field }}
          onFilter={(chosen) => look({ filter: chosen })}
          onOrder={(chosen) => look({ order: chosen })}
          found={listed.length}
        />
        <TestList {...{ index, listed, open }} onOpen={(row) => look({ open: row })} />
      </nav>
      <main ref={main} id="main" class="main" tabIndex={0}>
        {open !== null ? (
          <TestDetail
            store={store}
            row={open}
            heading={heading}
            onOpen={(row) => {
              heading.current?.focus()
              look({ open: row })
            }}
            onClose={() => look({ open: null })}
          />
        ) : (
          <>
            <h2 class="sr">{NAMES[shownView]}</h2>
            <ViewOf
              view={shownView}
              {...{ index, listed, filter }}
              onFilter={choose}
              onOpen={(row) => look({ open: row })}
            />
          </>
        )}
      </main>
      <Help open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

interface ViewAsked {
  view: View
  index: Index
  listed: readonly number[]
  onOpen: (row: number) => void
  filter: Filter
  onFilter: (filter: Filter) => void
}

function ViewOf({ view, index, listed, onOpen, filter, onFilter }: ViewAsked) {
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

/** So many steps up or down the list, and no further than its ends. */
function stepped(listed: readonly number[], open: number | null, by: number): number | null {
  const at = (open === null ? -1 : listed.indexOf(open)) + by
  return listed[Math.max(0, Math.min(listed.length - 1, at))] ?? null
}

/** The next test below that did not pass; where there is none, the one that is open. */
function nextUnpassed({ rows }: Index, listed: readonly number[], open: number | null): number | null {
  const at = open === null ? -1 : listed.indexOf(open)
  return listed.slice(at + 1).find((row) => rows.outcome[row] !== "pass") ?? open
}

/** Who goes through the list is in it: else Enter would press the button that was pressed before. */
function toList(): void {
  document.getElementById("list")?.focus({ preventScroll: true })
}

function isNarrow(): boolean {
  return matchMedia("(max-width: 56rem)").matches
}

/** What is newly shown is shown from its beginning. */
function useTop(main: { current: HTMLElement | null }, ...shown: unknown[]): void {
  useLayoutEffect(() => {
    if (main.current) main.current.scrollTop = 0
  }, shown)
}

function useTitle(battery: string): void {
  useEffect(() => {
    document.title = `${battery} · sensecheck`
  }, [battery])
}
