import type { SelectedTextReply } from "../api/shapes.ts"
import { parseSelectedText } from "../client/parseReply.ts"
import { randomId } from "../client/randomId.ts"
import { createService, postJson, type ServiceOptions } from "../client/service.ts"
import { MAX_TOKENS, truncateToTokens } from "./truncateToTokens.ts"

/** Passed to `showMessage` if the selected text does not contain the answer. */
export interface MessageFlags {
  isOutOfScope: boolean
  confidence: number
}

export interface RagChatbotOptions extends Omit<ServiceOptions, "endpoint"> {
  /** Base URL; `/query-selected-text` is appended. */
  apiUrl: string
  /** By default a random one, for as long as the page is open. */
  sessionId?: string | undefined
  showMessage?: ((text: string, role: string, flags?: MessageFlags) => void) | undefined
  showNotification?: ((text: string, kind: string) => void) | undefined
}

/** Asks about a selected text via `/query-selected-text`, and shows the reply. */
export class RagChatbot {
  apiUrl: string
  sessionId: string
  readonly #options: RagChatbotOptions

  constructor(options: RagChatbotOptions) {
    this.#options = options
    this.apiUrl = options.apiUrl
    this.sessionId = options.sessionId ?? randomId()
    this.#service()
  }

  /** Shows the answer, flagged if it is out of scope, and returns the reply; fails with a `SensecheckError`. */
  async querySelectedText(query: string, selectedText: string): Promise<SelectedTextReply> {
    let sent = selectedText
    if (truncateToTokens(selectedText) !== selectedText) {
      sent = this._truncateToTokens(selectedText, MAX_TOKENS)
      this._showNotification("⚠️ Selected text is long; truncated to 2000 tokens.", "info")
    }
    const body = { query, selected_text: sent, session_id: this.sessionId }
    const reply = parseSelectedText(await postJson(this.#service(), "/query-selected-text", body, undefined))
    const warning = reply.truncation_warning
    if (typeof warning === "string") this._showNotification(warning, "info")
    const flags = reply.in_selected_text ? [] : ([{ isOutOfScope: true, confidence: 0 }] as const)
    this._showMessage(reply.response, "assistant", ...flags)
    return reply
  }

  _showMessage(...message: [text: string, role: string, flags?: MessageFlags]): void {
    this.#options.showMessage?.(...message)
  }

  _showNotification(...notification: [text: string, kind: string]): void {
    this.#options.showNotification?.(...notification)
  }

  _truncateToTokens(text: string, maxTokens: number): string {
    return truncateToTokens(text, maxTokens)
  }

  /** Created for each request, since `apiUrl` may have changed. */
  #service() {
    return createService({ ...this.#options, endpoint: this.apiUrl })
  }
}
