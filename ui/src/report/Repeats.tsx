import type { Run } from "../data/run"
import { OutcomeMark } from "../components/OutcomeBadge"

interface Props {
  runs: Run[]
  passes: number
  shown: number
  onShow: (at: number) => void
}

/** The runs of a test, of which one is shown. */
export function Repeats({ runs, passes, shown, onShow }: Props) {
  return (
    <div class="repeats" role="group" aria-label="Repeats">
      {runs.map((run, at) => (
        <button
          key={at}
          type="button"
          class={`cell cell-${run.outcome}`}
          aria-pressed={at === shown}
          onClick={() => onShow(at)}
        >
          <OutcomeMark outcome={run.outcome} /> {at + 1}
          <span class="sr"> {run.outcome}</span>
        </button>
      ))}
      <span class="small">
        {runs.filter((run) => run.outcome === "pass").length} of {runs.length} passed; {passes} required
      </span>
    </div>
  )
}
