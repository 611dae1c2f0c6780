import type { AnswerReply, RelatedSection } from "../api/shapes.ts"
import { SensecheckError } from "./errors.ts"
import { parseAnswer, parseRelated } from "./parseReply.ts"
import { randomId } from "./randomId.ts"
import type { AnswerEvent } from "./readAnswer.ts"
import { resumeStream, type Wait } from "./resumeStream.ts"
import { createService, postJson, type ServiceOptions } from "./service.ts"

export interface ClientOptions extends ServiceOptions {
  /** How often an interrupted stream is resumed; 2. */
  retries?: number | undefined
  /** Waits between retries; replaced in tests. */
  wait?: Wait | undefined
}

export interface Question {
  question: string
  passage: string
  sessionId?: string | undefined
  /** Whether the service may store question and answer; true. Without it, a stream cannot be resumed. */
  store?: boolean | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

/** A client of the service. Every call fails with a `SensecheckError`, and ends when its signal is aborted. */
export interface Client {
  /** The answer as one reply. */
  ask(question: Question, options?: CallOptions): Promise<AnswerReply>
  /** The answer as it is written and checked; an interrupted stream is resumed automatically. */
  stream(question: Question, options?: CallOptions): AsyncGenerator<AnswerEvent>
  /** The sections that answer the question, best first. */
  related(
    question: string,
    sections: readonly { id: string; text: string }[],
    options?: CallOptions,
  ): Promise<RelatedSection[]>
  /** Rates an answer; a later rating replaces an earlier one. */
  feedback(id: string, thumb: "up" | "down", options?: CallOptions): Promise<void>
}

/** A client for one service; throws for a secret key and for an invalid endpoint. */
export function createClient({ retries = 2, wait, ...options }: ClientOptions): Client {
  const service = createService(options)
  return {
    async ask(question, { signal } = {}) {
      return parseAnswer(await postJson(service, "/v1/answers", requestBody(question), signal))
    },
    stream(question, { signal } = {}) {
      const headers: Record<string, string> = { Accept: "text/event-stream" }
      // Identifies the request if it is sent again; not accepted for requests that must not be stored.
      if (question.store !== false) headers["Idempotency-Key"] = randomId()
      return resumeStream(service, requestBody(question), headers, signal, retries, wait)
    },
    async related(question, sections, { signal } = {}) {
      const texts = sections.map(({ id, text }) => ({ id, text }))
      const body = { question, sections: texts, offsets: "utf16" }
      return parseRelated(await postJson(service, "/v1/related", body, signal))
    },
    async feedback(id, thumb, { signal } = {}) {
      // Any other id could change the path of the request.
      if (!/^[\w-]+$/.test(id)) throw new SensecheckError("broken")
      await postJson(service, `/v1/messages/${id}/feedback`, { thumb }, signal)
    },
  }
}

function requestBody({ question, passage, sessionId, store }: Question): unknown {
  return { question, passage, session_id: sessionId, store, offsets: "utf16" }
}
