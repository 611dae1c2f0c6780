import { SensecheckError } from "./errors.ts"

/** What the text says; the parser's own complaint would repeat it, and is not kept. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SensecheckError("broken")
  }
}

/** As JSON, with halves of characters replaced one to one: no service can read them, and places still fit. */
export function toJson(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value,
  )
}

/** Whether a value has all that the example has, of the same type; items of a list are like its first one. */
export function isLike<T>(value: unknown, example: T): value is T {
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item) => isLike(item, example[0]))
  }
  if (typeof value !== typeof example || value === null) return false
  const values = Object(value)
  return (
    typeof example !== "object" ||
    Object.entries(Object(example)).every(([name, part]) => isLike(values[name], part))
  )
}
