import { useEffect, useMemo, useState } from "preact/hooks"
import type { EvalsIndex } from "../data/evals"
import type { EvalsStore } from "../data/evalsStore"
import { useTheme } from "../components/Theme"
import { AgreementSection } from "./AgreementSection"
import { ComparisonSection } from "./ComparisonSection"
import { Conditions } from "./Conditions"
import { Header } from "./Header"
import { Metrics } from "./Metrics"
import { Pairs } from "./Pairs"
import { Slices } from "./Slices"
import { Trends } from "./Trends"

/** A stored run: its answers, metrics, and comparison with other runs. */
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
      <Header index={index} theme={theme} onTheme={nextTheme} sections={sectionsOf(index)} />
      <main class="main">
        <Pairs store={store} open={open} onOpen={setOpen} onTheme={nextTheme} />
        {index.comparison && (
          <ComparisonSection
            comparison={index.comparison}
            rowOf={rowOf}
            titleOf={(row) => index.rows.title[row] || index.rows.id[row]!}
            onOpen={show}
          />
        )}
        {index.trend.length > 0 && <Trends trend={index.trend} run={index.run} />}
        {index.agreement.length > 0 && <AgreementSection agreement={index.agreement} />}
        {index.slices.length > 0 && <Slices index={index} />}
        <Metrics index={index} />
        <Conditions index={index} />
      </main>
    </>
  )
}

/** The sections of this page. */
export function sectionsOf(index: EvalsIndex): [id: string, name: string][] {
  const all: [string, string, boolean][] = [
    ["pairs", "Answers", true],
    ["comparison", "Comparison", index.comparison !== null],
    ["trend", "Trend", index.trend.length > 0],
    ["agreement", "Human labels", index.agreement.length > 0],
    ["slices", "Slices", index.slices.length > 0],
    ["metrics", "Metrics", true],
  ]
  return all.flatMap(([id, name, there]) => (there ? [[id, name]] : []))
}
