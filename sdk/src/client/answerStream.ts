import type { AnswerReply } from "../api/shapes.ts"
import { SensecheckError } from "./errors.ts"
import { createEventReader } from "./eventStream.ts"
import { parseJson } from "./json.ts"
import { createPatience } from "./patience.ts"
import { errorOf } from "./problems.ts"
import { answerIn, bounded, like } from "./replies.ts"
import { post, type Service, textsOf } from "./request.ts"

/** Text that was checked, as it comes; and once, at the end, the reply with the whole answer in it. */
export type AnswerEvent = { kind: "text"; text: string } | { kind: "end"; reply: AnswerReply }

/** What has come of an answer so far, over all connections that it took. */
export interface Heard {
  /** What was given to whoever asked. */
  text: string
  /** What the service has sent of the answer that it is writing; another one, if it had to begin anew. */
  sent: string
  lastId: string
}

/**
 * One connection, to its end or to what breaks it. What was heard before is not given again: a service that
 * takes an answer up begins after it, and one that has to write it anew repeats it first. If it is another
 * answer then, no more text is given, and the reply at the end holds what counts.
 */
export async function* listen(
  service: Service,
  body: unknown,
  headers: Record<string, string>,
  heard: Heard,
  caller: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const patience = createPatience(caller)
  const { lastId } = heard
  const sent: Record<string, string> = lastId ? { ...headers, "Last-Event-ID": lastId } : headers
  try {
    const response = await post(
      service,
      "/v1/answers",
      body,
      patience,
      15_000,
      sent,
      lastId ? "cut" : "offline",
    )
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      throw new SensecheckError("broken", { status: response.status })
    }
    const read = createEventReader()
    for await (const piece of textsOf(response, patience, service.quiet)) {
      for (const { name, data, id } of read(piece)) {
        if (/^\d{1,9}$/.test(id)) heard.lastId = id
        if (name === "start") heard.sent = [...heard.sent].slice(0, Number(heard.lastId)).join("")
        if (name === "delta") {
          const delta = like(parseJson(data), { text: "", checked: true })
          if (delta.checked) heard.sent = bounded(heard.sent + delta.text)
          const fresh = heard.sent.startsWith(heard.text) ? heard.sent.slice(heard.text.length) : ""
          heard.text += fresh
          if (fresh !== "") yield { kind: "text", text: fresh }
        }
        if (name === "problem") {
          const told = like(parseJson(data), { status: 0 })
          throw errorOf(told, told.status)
        }
        if (name === "end") {
          yield { kind: "end", reply: answerIn(parseJson(data)) }
          return
        }
      }
    }
    throw new SensecheckError("cut")
  } finally {
    patience.done()
  }
}
