/** A theme in an attribute such as `data-theme="dark"`, or in a class: `dark`, `theme-dark`, `dark-mode`. */
const ATTRIBUTE = /^class$|(theme|mode|scheme)$/
const NAMED = /(?:^|\s)(?:theme-|mode-)?(dark|light|slate)(?:-theme|-mode)?(?:\s|$)/
const SOLID = /^rgb\((\d+), (\d+), (\d+)\)/

/**
 * Whether the page is light or dark around a node: by what it says of itself, else by its `color-scheme`, else by its
 * background. Empty if the reader's system decides.
 */
export function schemeOf(from: Element): string {
  for (let node: Element | null = from; node; node = node.parentElement)
    for (const { name, value } of node.attributes) {
      const named = ATTRIBUTE.test(name) && NAMED.exec(value)?.[1]
      if (named) return named === "light" ? named : "dark"
    }
  const root = getComputedStyle(document.documentElement)
  const declared = root.colorScheme.replace(/ ?only ?/, "")
  if (/^(dark|light)$/.test(declared)) return declared
  for (const { backgroundColor } of [getComputedStyle(document.body), root]) {
    const [, red, green, blue] = SOLID.exec(backgroundColor)?.map(Number) ?? []
    if (blue !== undefined)
      return Number(red) * 0.3 + Number(green) * 0.6 + blue * 0.1 < 128 ? "dark" : "light"
  }
  return /dark/.test(declared) ? "" : "light"
}

/** Calls back now and whenever the theme of the page may have changed, until the signal is aborted. */
export function watchTheme(signal: AbortSignal, onChange: () => void): void {
  const observer = new MutationObserver(onChange)
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true })
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", onChange, { signal })
  signal.addEventListener("abort", () => observer.disconnect())
  onChange()
}
