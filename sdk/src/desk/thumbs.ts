import { SensecheckError } from "../client/errors.ts"
import { button, line, make } from "./nodes.ts"
import type { Strings } from "./strings.ts"

export type Thumb = "up" | "down"

/** Two buttons for a vote; the one that holds is pressed, and none is when it could not be sent. */
export function thumbs(strings: Strings, vote: (thumb: Thumb) => Promise<void>): HTMLElement {
  const note = line("note")
  const up = button(strings.helpful, () => send("up"))
  const down = button(strings.notHelpful, () => send("down"))
  const press = (thumb?: Thumb) => {
    up.ariaPressed = `${thumb === "up"}`
    down.ariaPressed = `${thumb === "down"}`
  }
  let votes = 0
  async function send(thumb: Thumb) {
    votes += 1
    const mine = votes
    press(thumb)
    note.textContent = ""
    try {
      await vote(thumb)
    } catch (error) {
      if (mine === votes) {
        press()
        note.textContent = strings["error-broken"]
      }
      if (!(error instanceof SensecheckError)) throw error
    }
  }
  press()
  return make("div", { className: "row" }, up, down, note)
}
