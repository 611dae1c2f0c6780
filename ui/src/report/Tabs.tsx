import type { View } from "../data/viewState"

interface Props {
  view: View
  several: boolean
  /** Whether no test is open, so that the view is visible. */
  closed: boolean
  onView: (view: View) => void
}

export const NAMES: Record<View, string> = {
  tests: "Tests",
  overview: "Overview",
  scores: "Scores",
  grid: "Grid",
}

/** The views of the listed tests. */
export function Tabs({ view, several, closed, onView }: Props) {
  const views: View[] = several ? ["tests", "overview", "scores", "grid"] : ["tests", "overview", "scores"]
  return (
    <nav class="tabs" aria-label="Views">
      {views.map((one) => (
        <button
          key={one}
          type="button"
          class={`tab tab-${one}`}
          aria-current={closed && one === view ? "page" : undefined}
          onClick={() => onView(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </nav>
  )
}
