import type { AnswerReply, RelatedSection } from "../api/shapes.ts"
import type { AnswerEvent } from "./answerStream.ts"
import { SensecheckError } from "./errors.ts"
import { randomId } from "./randomId.ts"
import { answerIn, relatedIn } from "./replies.ts"
import { exchange, type ServiceOptions, serviceOf } from "./request.ts"
import { resumed, type Wait } from "./resuming.ts"

export interface ClientOptions extends ServiceOptions {
  /** How often a stream that broke is taken up again; 2. */
  retries?: number | undefined
  /** How to wait between tries; tests pass their own. */
  wait?: Wait | undefined
}

export interface Question {
  question: string
  passage: string
  sessionId?: string | undefined
  /** Whether the service may keep question and answer; true. What is not kept cannot be taken up again. */
  store?: boolean | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

/** Asks the service. Every call fails with a `SensecheckError`, and ends at once when its signal says so. */
export interface Client {
  /** The answer as one reply. */
  ask(question: Question, options?: CallOptions): Promise<AnswerReply>
  /** The answer as it is written and checked; a stream that breaks is taken up again by itself. */
  stream(question: Question, options?: CallOptions): AsyncGenerator<AnswerEvent>
  /** Which of these sections answer, surest first. */
  related(
    question: string,
    sections: readonly { id: string; text: string }[],
    options?: CallOptions,
  ): Promise<RelatedSection[]>
  /** What the reader thinks of an answer; said again, it replaces what was said. */
  feedback(id: string, thumb: "up" | "down", options?: CallOptions): Promise<void>
}

/** A client for one service; throws at once for a secret key and for an endpoint that is none. */
export function createClient({ retries = 2, wait, ...options }: ClientOptions): Client {
  const service = serviceOf(options)
  return {
    async ask(question, { signal } = {}) {
      return answerIn(await exchange(service, "/v1/answers", bodyOf(question), signal))
    },
    stream(question, { signal } = {}) {
      const headers: Record<string, string> = { Accept: "text/event-stream" }
      // What it is called when it is sent again; the service takes no name for what it must not keep.
      if (question.store !== false) headers["Idempotency-Key"] = randomId()
      return resumed(service, bodyOf(question), headers, signal, retries, wait)
    },
    async related(question, sections, { signal } = {}) {
      const texts = sections.map(({ id, text }) => ({ id, text }))
      const body = { question, sections: texts, offsets: "utf16" }
      return relatedIn(await exchange(service, "/v1/related", body, signal))
    },
    async feedback(id, thumb, { signal } = {}) {
      // Of any other id, a part of the address would be something else.
      if (!/^[\w-]+$/.test(id)) throw new SensecheckError("broken")
      await exchange(service, `/v1/messages/${id}/feedback`, { thumb }, signal)
    },
  }
}

function bodyOf({ question, passage, sessionId, store }: Question): unknown {
  return { question, passage, session_id: sessionId, store, offsets: "utf16" }
}
