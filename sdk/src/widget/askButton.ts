import { button, createElement } from "./dom.ts"

/** The button next to a selection, in its own landmark, since it is outside of those of the page. */
export function createAskButton(name: string, shortcut: string, open: () => void): HTMLElement {
  const node = button(name, open)
  node.ariaKeyShortcuts = shortcut
  // Otherwise pressing it would clear the selection.
  node.onmousedown = (pressed) => pressed.preventDefault()
  return createElement("section", { className: "ask-button", ariaLabel: name, hidden: true }, node)
}
