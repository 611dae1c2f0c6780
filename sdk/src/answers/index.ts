import { scrollToRange } from "../page/scrollToRange.ts"
import type { AnsweredState } from "../widget/state.ts"
import { type CustomStrings, type DialogStrings, withDefaults } from "../widget/strings.ts"
import { type AnswerActions, answeredText, answerView } from "./answerView.ts"
import { type Citation, citationsOf } from "./citations.ts"
import { createHistory } from "./history.ts"
import { findRelated } from "./relatedSections.ts"
import { ANSWER_ENGLISH } from "./strings.ts"
import { ANSWER_STYLES } from "./styles.ts"

/** What only an answer needs, loaded with the first question; with the texts of the dialog. */
export function prepareAnswers(texts: DialogStrings & CustomStrings) {
  const strings = withDefaults({ ...texts, ...ANSWER_ENGLISH }, texts)
  return {
    styles: ANSWER_STYLES,
    citationsOf,
    scrollToRange,
    findRelated,
    view: (dialog: AnsweredState, citations: readonly Citation[], actions: AnswerActions) =>
      answerView(strings, dialog, citations, actions),
    announcement: (dialog: AnsweredState) => answeredText(dialog, strings),
    createHistory: (thread: HTMLElement, earlier: HTMLElement) => createHistory(strings, thread, earlier),
  }
}

export type PrepareAnswers = typeof prepareAnswers
export type Answers = ReturnType<PrepareAnswers>
