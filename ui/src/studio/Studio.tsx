import { useEffect, useState } from "preact/hooks"
import { ThemeToggle, useTheme } from "../components/Theme"
import { useKeys } from "../components/useKeys"
import { Help } from "../components/Help"
import { BASE, useRequest, type Me } from "./api"
import { CalibratePage } from "./CalibratePage"
import { ComparePage } from "./ComparePage"
import { Palette } from "./Palette"
import { Link, PageFailure, PageLoading } from "./parts"
import { useRoute, WEEK } from "./route"
import { ReviewPage } from "./ReviewPage"
import { RunPage } from "./RunPage"
import { RunsPage } from "./RunsPage"
import { SignIn } from "./SignIn"
import { WeekPage } from "./WeekPage"

const KEYS: [string[], string][] = [
  [["Ctrl K"], "jump to a run"],
  [["j", "↓"], "next row"],
  [["k", "↑"], "previous row"],
  [["/"], "search"],
  [["Esc"], "close"],
  [["c", "w"], "in a review: correct, wrong"],
  [["s", "f", "u"], "in a review: skip, flag, undo"],
  [["t"], "switch theme: system, light, dark"],
  [["?"], "this help"],
]

/** All pages of the Studio, below one bar. */
export function Studio() {
  const { route, go, setParams } = useRoute()
  const me = useRequest<Me>("/me")
  const [theme, nextTheme] = useTheme()
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  useKeys({ t: nextTheme, "?": () => setHelp(true) })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPalette(true)
    }
    document.addEventListener("keydown", pressed)
    return () => document.removeEventListener("keydown", pressed)
  }, [])
  const rest = { go, setParams, params: route.params }
  return (
    <div class="studio" data-page={route.page}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById("main")?.focus()
        }}
      >
        Skip to the content
      </a>
      <header class="topbar">
        <Link to={BASE} go={go} class="brand">
          <span aria-hidden="true">◆</span>
          <span class="brand-name"> sensecheck studio</span>
        </Link>
        {me.data?.has_week && (
          <nav class="topbar-pages" aria-label="Pages of the Studio">
            <Link to={BASE} go={go} current={route.page !== "week"}>
              Runs
            </Link>
            <Link to={WEEK} go={go} current={route.page === "week"}>
              Week
            </Link>
          </nav>
        )}
        {me.data?.project && <span class="small topbar-project">project {me.data.project}</span>}
        <div class="topbar-tools">
          <button type="button" class="quiet jump" onClick={() => setPalette(true)}>
            Jump<span class="jump-more"> to a run</span> <kbd>Ctrl K</kbd>
          </button>
          <ThemeToggle theme={theme} onNext={nextTheme} />
          <button
            type="button"
            class="quiet"
            onClick={() => setHelp(true)}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
        </div>
      </header>
      {me.error ? (
        me.error.status === 401 ? (
          <SignIn message={me.error.message} onDone={me.reload} />
        ) : (
          <PageFailure error={me.error} onRetry={me.reload} />
        )
      ) : !me.data ? (
        <PageLoading what="the Studio" />
      ) : route.page === "run" ? (
        <RunPage key={route.id} id={route.id} me={me.data} {...rest} />
      ) : route.page === "review" ? (
        <ReviewPage key={route.id} id={route.id} me={me.data} {...rest} />
      ) : route.page === "calibrate" ? (
        <CalibratePage key={route.id} id={route.id} me={me.data} {...rest} />
      ) : route.page === "compare" ? (
        <ComparePage {...rest} />
      ) : route.page === "week" && me.data.has_week ? (
        <WeekPage {...rest} />
      ) : (
        <RunsPage me={me.data} {...rest} />
      )}
      {palette && me.data && <Palette go={go} onClose={() => setPalette(false)} />}
      <Help open={help} onClose={() => setHelp(false)} keys={KEYS} />
    </div>
  )
}
