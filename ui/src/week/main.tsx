import { FORMAT, spanText, type WeekData } from "../data/week"
import { showPage } from "../components/showPage"
import { ThemeToggle, useTheme } from "../components/Theme"
import { useKeys } from "../components/useKeys"
import "../style/week_page.css"
import { WeekView } from "./WeekView"

function SharedWeek({ data }: { data: WeekData }) {
  const [theme, nextTheme] = useTheme()
  useKeys({ t: nextTheme })
  document.title = `${data.project} · week until ${data.week.last_day}`
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="eyebrow">
            sensecheck · week of <span dir="auto">{data.project}</span>
          </p>
          <h1>{spanText(data.week.first_day, data.week.last_day)}</h1>
        </div>
        <div class="head-tools">
          <button type="button" onClick={() => print()}>
            Print or PDF
          </button>
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
      </header>
      <main class="main">
        <WeekView data={data} />
      </main>
    </>
  )
}

await showPage<WeekData>("week", FORMAT, (data) => <SharedWeek data={data} />)
