import type { EffectsReport } from "../data/effects"
import { counted } from "../data/words"
import { useKeys } from "../pieces/keyboard"
import { ThemeToggle, useTheme } from "../pieces/Theme"
import { Curves } from "./Curves"
import { Items } from "./Items"
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
            {counted(overall.before.queries, "query", "queries")} of {counted(items.length, "item")}, through{" "}
            {report.stages.length ? <code>{report.stages.join(" → ")}</code> : "no guard at all"}
          </p>
        </div>
        <div class="head-tools">
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
        <Tiles overall={overall} />
      </header>
      <main class="main">
        {report.scored && <Curves scored={report.scored} />}
        <Stages report={report} />
        <Positions report={report} />
        <Items report={report} />
      </main>
    </>
  )
}
