import { useEffect, useRef, useState } from "preact/hooks"
import { useRequest, type RunsReply } from "./api"
import { metricValue, moment, runTitle } from "./parts"
import { runLink, type Go } from "./route"

/** A field that finds runs by their words; Enter opens the chosen one. */
export function Palette({ go, onClose }: { go: Go; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState("")
  const [chosen, setChosen] = useState(0)
  const { data } = useRequest<RunsReply>(`/runs?limit=8&q=${encodeURIComponent(query)}`)
  const runs = (data?.runs ?? []).filter((run) => run.state !== "unreadable")
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => setChosen(0), [query])
  const open = (at: number) => {
    const run = runs[at]
    if (!run) return
    onClose()
    go(runLink(run.id))
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter") open(chosen)
    else if (event.key === "ArrowDown") setChosen((at) => Math.min(at + 1, runs.length - 1))
    else if (event.key === "ArrowUp") setChosen((at) => Math.max(at - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Jump to a run"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-expanded="true"
        aria-controls="palette-runs"
        aria-activedescendant={runs[chosen] ? `palette-${chosen}` : undefined}
        aria-label="Project, test, name or number of a run"
        placeholder="Project, test, name or number"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <div id="palette-runs" role="listbox" aria-label="Runs">
        {runs.map((run, at) => (
          <div
            key={run.id}
            id={`palette-${at}`}
            role="option"
            class="palette-run"
            aria-selected={at === chosen}
            onClick={() => open(at)}
          >
            <b dir="auto">{run.project}</b>
            <span dir="auto">{runTitle(run)}</span>
            <span class="figure">
              {metricValue(run.metric, run.value)} · {moment(run.at)}
            </span>
          </div>
        ))}
      </div>
      {data && !runs.length && <p class="small">No run matches.</p>}
    </dialog>
  )
}
