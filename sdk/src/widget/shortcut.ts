/**
 * Whether a key press is the shortcut: its modifiers in the order "Control+Alt+Shift+Meta", and a key. In an
 * editable field it never is.
 */
export function isShortcut(shortcut: string, pressed: KeyboardEvent): boolean {
  const modifiers = ["Control", "Alt", "Shift", "Meta"].filter((name) => pressed.getModifierState(name))
  const [target] = pressed.composedPath() as Element[]
  // With Alt, some keyboards produce another character than the one on the key.
  const isPressed = [pressed.key, pressed.code.replace("Key", "")].some(
    (key) => [...modifiers, key].join("+").toLowerCase() === shortcut.toLowerCase(),
  )
  return isPressed && !target?.matches(":read-write")
}
