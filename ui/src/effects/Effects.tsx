import type { EffectsReport } from "../data/effects"
import { counted } from "../data/words"
import { useKeys } from "../pieces/keyboard"
import { ThemeToggle, useTheme } from "../pieces/Theme"
import { Curves } from "./Curves"
import { Items } from "./Items"
import { Lost } from "./Lost"
import { Positions } from "./Positions"
import { Stages } from "./Stages"
import { Tiles } from "./Tiles"

/** What guards did to references, and to what was answered with them. */
export function Effects({ report }: { report: EffectsReport }) {
  const [theme, nextTheme] = useTheme()
  useKeys({ t: nextTheme })
  const { overall, items } = report
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="over">sensecheck · what the guards did</p>
          <h1 dir="auto">{report.source}</h1>
          <p class="small">
            {counted(overall.before.queries, "query", "queries")}
            {report.items_differ && ` of ${counted(items.length, "item")}`}, through{" "}
            {report.guards.length ? <code>{report.guards.join(" → ")}</code> : "no guard at all"}
            {report.encoder && (
              <>
                ; texts placed by <code>{report.encoder}</code>
              </>
            )}
          </p>
        </div>
        <div class="head-tools">
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
        <Tiles overall={overall} />
      </header>
      <main class="main">
        <Stages report={report} />
        <Lost report={report} />
        {report.scored && <Curves scored={report.scored} />}
        {report.items_differ ? (
          <>
            <Items report={report} />
            <Positions report={report} />
          </>
        ) : (
          <p class="small">{whyNoItems(report)}</p>
        )}
      </main>
    </>
  )
}

/** Why nothing is told item by item. */
export function whyNoItems({ items }: EffectsReport): string {
  const why = items.length === 1 ? "There is one item" : "Every item has one query"
  return `${why}, so nothing is told item by item, or of early and late ones.`
}
