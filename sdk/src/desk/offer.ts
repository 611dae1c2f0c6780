import { button, make } from "./nodes.ts"

/** The button beside a selection, in a landmark of its own, since it stands outside of those of the page. */
export function createOffer(name: string, shortcut: string, open: () => void): HTMLElement {
  const node = button(name, open)
  node.ariaKeyShortcuts = shortcut
  // Pressing it would otherwise end the selection that it is about.
  node.onmousedown = (pressed) => pressed.preventDefault()
  return make("section", { className: "offer", ariaLabel: name, hidden: true }, node)
}
