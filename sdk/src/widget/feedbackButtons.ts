import { SensecheckError } from "../client/errors.ts"
import { button, createElement, paragraph } from "./dom.ts"
import type { Strings } from "./strings.ts"

export type Thumb = "up" | "down"

/** Two buttons for a vote; the current vote is pressed, or none if it could not be sent. */
export function feedbackButtons(strings: Strings, vote: (thumb: Thumb) => Promise<void>): HTMLElement {
  const note = paragraph("note")
  const up = button(strings.helpful, () => send("up"))
  const down = button(strings.notHelpful, () => send("down"))
  const press = (thumb?: Thumb) => {
    up.ariaPressed = `${thumb === "up"}`
    down.ariaPressed = `${thumb === "down"}`
  }
  let votes = 0
  async function send(thumb: Thumb) {
    votes += 1
    const thisVote = votes
    press(thumb)
    note.textContent = ""
    try {
      await vote(thumb)
    } catch (error) {
      if (thisVote === votes) {
        press()
        note.textContent = strings["error-broken"]
      }
      if (!(error instanceof SensecheckError)) throw error
    }
  }
  press()
  return createElement("div", { className: "row" }, up, down, note)
}
