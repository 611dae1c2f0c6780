const KEY = "sensecheck-rater"

/** The name under which this person labelled last. */
export function storedRater(): string {
  try {
    return localStorage.getItem(KEY) ?? ""
  } catch {
    return ""
  }
}

export function storeRater(name: string): void {
  try {
    localStorage.setItem(KEY, name)
  } catch {
    return
  }
}
