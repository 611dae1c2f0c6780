import { useEffect, useMemo, useState } from "preact/hooks"
import type { EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { useTheme } from "../pieces/Theme"
import { Agreed } from "./Agreed"
import { Compared } from "./Compared"
import { Conditions } from "./Conditions"
import { Head } from "./Head"
import { Metrics } from "./Metrics"
import { Pairs } from "./Pairs"
import { Slices } from "./Slices"
import { Trends } from "./Trends"

/** A kept run: answer by answer, metric by metric, and beside others. */
export function Evals({ store }: { store: EvalsStore }) {
  const { index } = store
  const [theme, nextTheme] = useTheme()
  const [open, setOpen] = useState<number | null>(null)
  const rowOf = useMemo(() => {
    const rows = new Map(index.rows.id.map((id, row) => [id, row]))
    return (id: string) => rows.get(id)
  }, [index])
  useEffect(() => {
    document.title = `Run ${index.run} · ${index.project} · sensecheck`
  }, [index])
  const show = (row: number) => {
    setOpen(row)
    document.getElementById("pairs")?.scrollIntoView()
  }
  return (
    <>
      <Head index={index} theme={theme} onTheme={nextTheme} sections={sectionsOf(index)} />
      <main class="main">
        <Pairs store={store} open={open} onOpen={setOpen} onTheme={nextTheme} />
        {index.comparison && (
          <Compared
            comparison={index.comparison}
            rowOf={rowOf}
            titleOf={(row) => index.rows.title[row] || index.rows.id[row]!}
            onOpen={show}
          />
        )}
        {index.trend.length > 0 && <Trends trend={index.trend} run={index.run} />}
        {index.agreement.length > 0 && <Agreed agreement={index.agreement} />}
        {index.slices.length > 0 && <Slices index={index} />}
        <Metrics index={index} />
        <Conditions index={index} />
      </main>
    </>
  )
}

/** The parts that this page has. */
export function sectionsOf(index: EvalsIndex): [id: string, name: string][] {
  const all: [string, string, boolean][] = [
    ["pairs", "Answers", true],
    ["compared", "Comparison", index.comparison !== null],
    ["trend", "Trend", index.trend.length > 0],
    ["agreement", "What people said", index.agreement.length > 0],
    ["slices", "Slices", index.slices.length > 0],
    ["metrics", "Metrics", true],
  ]
  return all.flatMap(([id, name, there]) => (there ? [[id, name]] : []))
}
