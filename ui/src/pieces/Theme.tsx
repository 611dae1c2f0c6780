import { useEffect, useState } from "preact/hooks"

const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]
const KEPT = "sensecheck-theme"

/** The theme that was chosen, and a step to the next one. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(remembered)
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
    remember(theme)
  }, [theme])
  return [theme, () => setTheme((now) => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]!)]
}

const SIGNS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" }

export function ThemeToggle({ theme, onNext }: { theme: Theme; onNext: () => void }) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={onNext}
      aria-label={`Theme: ${theme}. Change`}
      title={`Theme: ${theme} (t)`}
    >
      <span aria-hidden="true">{SIGNS[theme]}</span>
    </button>
  )
}

/** Some browsers keep nothing for pages from a disk; then the theme holds until the page is closed. */
function remembered(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? "system"
  } catch {
    return "system"
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEPT, theme)
  } catch {
    return
  }
}
