import type { SectionMatch } from "../answers/relatedSections.ts"
import type { AnswerReply } from "../api/shapes.ts"
import type { SensecheckError } from "../client/errors.ts"
import type { Passage } from "../page/passage.ts"

/** The search for related sections: disabled, running, failed, or its results. */
export type Related = "off" | "looking" | "failed" | readonly SectionMatch[]

/** The selection that the question is about, and the part of it that is sent. */
export interface Topic {
  readonly passage: Passage
  readonly sentText: string
  readonly suggestions: readonly string[]
}

interface Exchange {
  readonly topic: Topic
  readonly question: string
}

export interface AnsweredState extends Exchange {
  readonly name: "answered"
  readonly reply: AnswerReply
  readonly related: Related
}

/** The state of the dialog; in `idle` it is closed. */
export type DialogState =
  | { readonly name: "idle" }
  | { readonly name: "ready"; readonly topic: Topic }
  | ({ readonly name: "asking"; readonly text: string } & Exchange)
  | AnsweredState
  | ({ readonly name: "failed"; readonly text: string; readonly error: Failure } & Exchange)

export type Failure = Pick<SensecheckError, "kind" | "retryAfter">

/** The state of the dialog, and the selection that the button is next to, if any. */
export interface State {
  readonly dialog: DialogState
  readonly selection: Range | null
}

export type WidgetEvent =
  | { readonly kind: "selected"; readonly range: Range | null }
  | { readonly kind: "opened"; readonly topic: Topic }
  | { readonly kind: "asked"; readonly question: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "ended"; readonly reply: AnswerReply; readonly related: Related }
  | { readonly kind: "searched"; readonly related: Related }
  | { readonly kind: "failed"; readonly error: Failure }
  | { readonly kind: "closed" }

export const IDLE: State = { dialog: { name: "idle" }, selection: null }

/** The state after an event; an event that does not fit the state changes nothing. */
export function next(state: State, event: WidgetEvent): State {
  if (event.kind === "selected") return { ...state, selection: event.range }
  if (event.kind === "opened") return { dialog: { name: "ready", topic: event.topic }, selection: null }
  return { ...state, dialog: nextDialog(state.dialog, event) }
}

function nextDialog(dialog: DialogState, event: WidgetEvent): DialogState {
  const { kind } = event
  if (kind === "closed") return IDLE.dialog
  if (kind === "asked" && dialog.name !== "idle") {
    return { name: "asking", topic: dialog.topic, question: event.question, text: "" }
  }
  if (kind === "searched" && dialog.name === "answered") return { ...dialog, related: event.related }
  if (dialog.name !== "asking") return dialog
  if (kind === "text") return { ...dialog, text: dialog.text + event.text }
  if (kind === "ended") return { ...dialog, name: "answered", reply: event.reply, related: event.related }
  return kind === "failed" ? { ...dialog, name: "failed", error: event.error } : dialog
}
