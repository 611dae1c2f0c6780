/**
 * Whether a key press is the shortcut: its modifiers in the order "Control+Alt+Shift+Meta", and a key. Where
 * somebody writes, every key is theirs.
 */
export function isShortcut(shortcut: string, pressed: KeyboardEvent): boolean {
  const held = ["Control", "Alt", "Shift", "Meta"].filter((name) => pressed.getModifierState(name))
  const [at] = pressed.composedPath() as Element[]
  // With Alt, some keyboards give another letter than the one printed on the key.
  const isPressed = [pressed.key, pressed.code.replace("Key", "")].some(
    (key) => [...held, key].join("+").toLowerCase() === shortcut.toLowerCase(),
  )
  return isPressed && !at?.matches(":read-write")
}
