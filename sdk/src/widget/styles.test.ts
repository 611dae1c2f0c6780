import { expect, test } from "vitest"
import { STYLES } from "./styles.ts"

test("colours that not every browser knows are only used by those that do", () => {
  const others = STYLES.replace(/@supports\(color:light-dark[^\n]*/, "")
  expect(others).not.toBe(STYLES)
  expect(others).not.toMatch(/light-dark|color-mix|oklch/)
})
