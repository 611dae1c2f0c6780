import type { EffectsReport } from "../data/effects"
import { plural } from "../data/format"
import { useKeys } from "../components/useKeys"
import { ThemeToggle, useTheme } from "../components/Theme"
import { Curves } from "./Curves"
import { Items } from "./Items"
import { LostQueries } from "./LostQueries"
import { Positions } from "./Positions"
import { Stages } from "./Stages"
import { Tiles } from "./Tiles"

/** The effects of guards on references, and on the answers that use them. */
export function Effects({ report }: { report: EffectsReport }) {
  const [theme, nextTheme] = useTheme()
  useKeys({ t: nextTheme })
  const { overall, items } = report
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="eyebrow">sensecheck · guard effects</p>
          <h1 dir="auto">{report.source}</h1>
          <p class="small">
            {plural(overall.before.queries, "query", "queries")}
            {report.items_differ && ` of ${plural(items.length, "item")}`}, through{" "}
            {report.guards.length ? <code>{report.guards.join(" → ")}</code> : "no guards"}
            {report.encoder && (
              <>
                ; encoder <code>{report.encoder}</code>
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
        <LostQueries report={report} />
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

/** Why there are no figures per item. */
export function whyNoItems({ items }: EffectsReport): string {
  const why = items.length === 1 ? "There is one item" : "Every item has one query"
  return `${why}, so there are no figures per item or by position.`
}
