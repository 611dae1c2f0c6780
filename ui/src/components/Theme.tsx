import { useEffect, useState } from "preact/hooks"

const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]
const STORAGE_KEY = "sensecheck-theme"

/** The chosen theme, and a function that switches to the next one. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
    storeTheme(theme)
  }, [theme])
  return [theme, () => setTheme((now) => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]!)]
}

const ICONS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" }

export function ThemeToggle({ theme, onNext }: { theme: Theme; onNext: () => void }) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={onNext}
      aria-label={`Theme: ${theme}. Change`}
      title={`Theme: ${theme} (t)`}
    >
      <span aria-hidden="true">{ICONS[theme]}</span>
    </button>
  )
}

/** Some browsers store nothing for local files; then the theme lasts until the page is closed. */
function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? "system"
  } catch {
    return "system"
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    return
  }
}
