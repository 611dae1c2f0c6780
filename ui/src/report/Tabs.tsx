import type { View } from "../data/address"

interface Asked {
  view: View
  several: boolean
  /** Whether no test is open, so that the view is what is seen. */
  closed: boolean
  onView: (view: View) => void
}

export const NAMES: Record<View, string> = {
  tests: "Tests",
  overview: "Overview",
  scores: "Scores",
  grid: "Grid",
}

/** The ways to look at the tests that are listed. */
export function Tabs({ view, several, closed, onView }: Asked) {
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
