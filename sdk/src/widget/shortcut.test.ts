import { expect, test } from "vitest"
import { isShortcut } from "./shortcut.ts"

const press = (init: KeyboardEventInit) => new KeyboardEvent("keydown", init)

test.each<[string, KeyboardEventInit, boolean]>([
  ["Alt+Shift+A", { key: "A", code: "KeyA", altKey: true, shiftKey: true }, true],
  ["Alt+Shift+A", { key: "Å", code: "KeyA", altKey: true, shiftKey: true }, true],
  ["Alt+Shift+A", { key: "A", code: "KeyQ", altKey: true, shiftKey: true }, true],
  ["Alt+Shift+A", { key: "A", code: "KeyA", shiftKey: true }, false],
  ["Alt+Shift+A", { key: "A", code: "KeyA", altKey: true, shiftKey: true, ctrlKey: true }, false],
  ["Alt+Shift+A", { key: "b", code: "KeyB", altKey: true, shiftKey: true }, false],
  ["Control+Enter", { key: "Enter", code: "Enter", ctrlKey: true }, true],
  ["Control+Enter", { key: "Enter", code: "Enter", metaKey: true }, false],
])("%s by %o: %s", (shortcut, init, expected) => {
  expect(isShortcut(shortcut, press(init))).toBe(expected)
})
