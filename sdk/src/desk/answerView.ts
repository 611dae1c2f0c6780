import type { AnswerReply } from "../api/shapes.ts"
import type { Place } from "./elsewhere.ts"
import type { Proof } from "./evidence.ts"
import { button, line, make } from "./nodes.ts"
import type { Related } from "./state.ts"
import { missingText, relatedText } from "./status.ts"
import type { Strings } from "./strings.ts"

/** The answer with its numbers, or why there is none. */
export function answerView(
  strings: Strings,
  reply: AnswerReply,
  proofs: readonly Proof[],
  goTo: (proof: Proof) => boolean,
): HTMLElement[] {
  let from = 0
  const pieces = proofs.flatMap(({ end }, index) => {
    const text = reply.answer.slice(from, end)
    from = end
    return [text, make("sup", {}, `${index + 1}`)]
  })
  return [
    line("over", reply.in_selected_text ? strings.found : ""),
    line("answer", ...pieces, reply.answer.slice(from)),
    line("note", reply.decision === "cut" ? strings.cut : ""),
    line("", missingText(reply.missing, strings)),
    line("note", reply.injections.length ? strings.injection : ""),
    ...evidenceRow(strings, proofs, goTo),
  ]
}

function evidenceRow(
  strings: Strings,
  proofs: readonly Proof[],
  goTo: (proof: Proof) => boolean,
): HTMLElement[] {
  const buttons = proofs.map((proof, index) => {
    const show = () => {
      node.ariaDisabled = `${!goTo(proof)}`
    }
    const node = button(`${strings.evidence}: ${index + 1}`, show, `${index + 1}`)
    return node
  })
  return buttons.length ? [make("div", { className: "row" }, line("over", strings.evidence), ...buttons)] : []
}

/** Other sections of the page, each a button that takes the question there. */
export function relatedView(
  strings: Strings,
  related: Related,
  follow: (place: Place) => void,
): HTMLElement[] {
  if (typeof related === "string" || !related.length) return [line("note", relatedText(related, strings))]
  const items = related.map((place) => {
    const { section, found } = place
    const title = make("b", {}, section.title)
    return make(
      "li",
      {},
      button("", () => follow(place), title, ` ${found.text}`),
    )
  })
  return [line("over", strings.related), make("ul", {}, ...items)]
}
