import type { AnswerReply } from "../api/shapes.ts"
import type { SensecheckError } from "../client/errors.ts"
import type { Passage } from "../page/passage.ts"
import type { Place } from "./elsewhere.ts"

/** What is known of other sections: not asked for, under way, could not be asked, or these. */
export type Related = "off" | "looking" | "failed" | readonly Place[]

/** What lies on the desk: the selection that is talked about, and how much of it is read. */
export interface Topic {
  readonly passage: Passage
  readonly read: string
}

interface Asked {
  readonly topic: Topic
  readonly question: string
}

/** Where the talk in the dialog is; `idle` is without a dialog. */
export type Talk =
  | { readonly name: "idle" }
  | { readonly name: "ready"; readonly topic: Topic }
  | ({ readonly name: "asking"; readonly text: string } & Asked)
  | ({ readonly name: "answered"; readonly reply: AnswerReply; readonly related: Related } & Asked)
  | ({ readonly name: "failed"; readonly text: string; readonly error: Failure } & Asked)

export type Failure = Pick<SensecheckError, "kind" | "retryAfter">

/** The talk, and the selection beside which the button stands, if any. */
export interface State {
  readonly talk: Talk
  readonly offer: Range | null
}

export type Happening =
  | { readonly kind: "selected"; readonly range: Range | null }
  | { readonly kind: "opened"; readonly topic: Topic }
  | { readonly kind: "asked"; readonly question: string }
  | { readonly kind: "told"; readonly text: string }
  | { readonly kind: "ended"; readonly reply: AnswerReply; readonly related: Related }
  | { readonly kind: "searched"; readonly related: Related }
  | { readonly kind: "failed"; readonly error: Failure }
  | { readonly kind: "closed" }

export const IDLE: State = { talk: { name: "idle" }, offer: null }

/** The state after something has happened; what does not fit where the talk is changes nothing. */
export function next(state: State, happening: Happening): State {
  if (happening.kind === "selected") return { ...state, offer: happening.range }
  if (happening.kind === "opened") return { talk: { name: "ready", topic: happening.topic }, offer: null }
  return { ...state, talk: nextTalk(state.talk, happening) }
}

function nextTalk(talk: Talk, happening: Happening): Talk {
  const { kind } = happening
  if (kind === "closed") return IDLE.talk
  if (kind === "asked" && talk.name !== "idle") {
    return { name: "asking", topic: talk.topic, question: happening.question, text: "" }
  }
  if (kind === "searched" && talk.name === "answered") return { ...talk, related: happening.related }
  if (talk.name !== "asking") return talk
  if (kind === "told") return { ...talk, text: talk.text + happening.text }
  if (kind === "ended")
    return { ...talk, name: "answered", reply: happening.reply, related: happening.related }
  return kind === "failed" ? { ...talk, name: "failed", error: happening.error } : talk
}
