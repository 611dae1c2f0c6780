import { SensecheckError } from "./errors.ts"

/** Parses JSON; the parser's own error is dropped, since it would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SensecheckError("broken")
  }
}

/** As JSON; lone surrogates are replaced one to one, since they are invalid in UTF-8 and offsets must stay. */
export function toJson(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value,
  )
}

/** Whether a value has all properties of the example, with the same types; list items match its first item. */
export function hasShape<T>(value: unknown, example: T): value is T {
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item) => hasShape(item, example[0]))
  }
  if (typeof value !== typeof example || value === null) return false
  const values = Object(value)
  return (
    typeof example !== "object" ||
    Object.entries(Object(example)).every(([name, part]) => hasShape(values[name], part))
  )
}
