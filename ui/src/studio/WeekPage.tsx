import { useEffect } from "preact/hooks"
import { dayAfter, spanText, type WeekData } from "../data/week"
import { WeekView } from "../week/WeekView"
import { BASE, useRequest } from "./api"
import { Failure, Loading } from "./parts"
import type { SetParams } from "./route"

/** A week of the service; the address has its last day, where that is not today. */
export function WeekPage({ params, setParams }: { params: URLSearchParams; setParams: SetParams }) {
  const until = params.get("until")
  const query = until ? `?${new URLSearchParams({ until })}` : ""
  const { data, error, loading, reload } = useRequest<WeekData>(`/week${query}`)
  const today = new Date().toISOString().slice(0, 10)
  const last = data?.week.last_day ?? today
  const show = (day: string) => setParams({ until: day >= today ? null : day }, false)
  useEffect(() => {
    document.title = `Week until ${last} · sensecheck studio`
  }, [last])
  return (
    <main id="main" class="page" tabIndex={-1}>
      <header class="page-head">
        <h1>Week</h1>
        {data && (
          <p class="small">
            <span dir="auto">{data.project}</span> · {spanText(data.week.first_day, data.week.last_day)}
          </p>
        )}
        <div class="week-tools">
          <button type="button" disabled={loading} onClick={() => show(dayAfter(last, -7))}>
            ‹ Earlier
          </button>
          <button type="button" disabled={loading || last >= today} onClick={() => show(dayAfter(last, 7))}>
            Later ›
          </button>
          <label>
            until
            <input
              type="date"
              value={until ?? last}
              max={today}
              onChange={(event) => event.currentTarget.value && show(event.currentTarget.value)}
            />
          </label>
          <button type="button" onClick={() => print()}>
            Print or PDF
          </button>
          <a class="button" href={`${BASE}/api/week.html${query}`} download>
            Export
          </a>
        </div>
      </header>
      {error ? (
        <Failure error={error} onRetry={reload} />
      ) : data ? (
        <WeekView data={data} />
      ) : (
        <Loading what="the week" />
      )}
    </main>
  )
}
