import { button, createElement, icon, paragraph } from "../widget/dom.ts"
import type { Strings } from "../widget/strings.ts"

export type Thumb = "up" | "down"

/** A thumb that points up; turned around by its style, it points down. */
const THUMB =
  "M7 10v11H3V10zM7 10l4-7.500c1.600 0 2.700 1.300 2.500 2.800L13 9h6a2 2 0 0 1 2 2.400l-1.500 7.500A2.600 2.600 0 0 1 17 21H7"

/** Two buttons for a vote; the current vote is pressed, or none if it could not be sent. */
export function feedbackButtons(strings: Strings, vote: (thumb: Thumb) => Promise<boolean>): HTMLElement {
  const note = paragraph("note")
  const buttons = (["up", "down"] as const).map((thumb) => {
    const name = thumb === "up" ? strings.helpful : strings.notHelpful
    const node = button(name, () => send(thumb), icon(THUMB))
    node.className = node.value = thumb
    node.title = name
    return node
  })
  const press = (thumb?: Thumb) => {
    for (const node of buttons) node.ariaPressed = `${node.value === thumb}`
  }
  let votes = 0
  async function send(thumb: Thumb) {
    votes += 1
    const thisVote = votes
    press(thumb)
    note.textContent = ""
    if ((await vote(thumb)) || thisVote !== votes) return
    press()
    note.textContent = strings["error-broken"]
  }
  press()
  return createElement("div", { className: "row votes" }, ...buttons, note)
}
