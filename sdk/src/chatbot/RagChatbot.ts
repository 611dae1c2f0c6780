import type { SelectedTextReply } from "../api/shapes.ts"
import { randomId } from "../client/randomId.ts"
import { selectedTextIn } from "../client/replies.ts"
import { exchange, type ServiceOptions, serviceOf } from "../client/request.ts"
import { MAX_TOKENS, truncateToTokens } from "./truncating.ts"

/** How an answer is marked that the selected text does not hold. */
export interface Marks {
  isOutOfScope: boolean
  confidence: number
}

export interface RagChatbotOptions extends Omit<ServiceOptions, "endpoint"> {
  /** Where `/query-selected-text` is appended to. */
  apiUrl: string
  /** Without it, one is made up for as long as the page is open. */
  sessionId?: string | undefined
  showMessage?: ((text: string, role: string, marks?: Marks) => void) | undefined
  showNotification?: ((text: string, kind: string) => void) | undefined
}

/** Asks about a selected text by the older contract, and shows what comes back. */
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

  /** Shows the answer, marked if it is out of scope, and gives the reply; fails with a `SensecheckError`. */
  async querySelectedText(query: string, selectedText: string): Promise<SelectedTextReply> {
    let sent = selectedText
    if (truncateToTokens(selectedText) !== selectedText) {
      sent = this._truncateToTokens(selectedText, MAX_TOKENS)
      this._showNotification("⚠️ Selected text is long; truncated to 2000 tokens.", "info")
    }
    const body = { query, selected_text: sent, session_id: this.sessionId }
    const reply = selectedTextIn(await exchange(this.#service(), "/query-selected-text", body, undefined))
    const warning = reply.truncation_warning
    if (typeof warning === "string") this._showNotification(warning, "info")
    const marks = reply.in_selected_text ? [] : ([{ isOutOfScope: true, confidence: 0 }] as const)
    this._showMessage(reply.response, "assistant", ...marks)
    return reply
  }

  _showMessage(...message: [text: string, role: string, marks?: Marks]): void {
    this.#options.showMessage?.(...message)
  }

  _showNotification(...notification: [text: string, kind: string]): void {
    this.#options.showNotification?.(...notification)
  }

  _truncateToTokens(text: string, maxTokens: number): string {
    return truncateToTokens(text, maxTokens)
  }

  /** Made anew each time, since `apiUrl` may have changed. */
  #service() {
    return serviceOf({ ...this.#options, endpoint: this.apiUrl })
  }
}
