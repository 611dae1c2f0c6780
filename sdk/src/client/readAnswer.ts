import type { AnswerReply } from "../api/shapes.ts"
import { createDeadline } from "./deadline.ts"
import { SensecheckError } from "./errors.ts"
import { createEventReader } from "./eventStream.ts"
import { parseJson } from "./json.ts"
import { checkLength, parseAnswer, requireShape } from "./parseReply.ts"
import { errorFromProblem } from "./problem.ts"
import { post, readChunks, type Service } from "./service.ts"

/** Checked text as it arrives; and once, at the end, the reply with the complete answer. */
export type AnswerEvent = { kind: "text"; text: string } | { kind: "end"; reply: AnswerReply }

/** What has been received of an answer so far, over all connections. */
export interface StreamProgress {
  /** Text that was passed to the caller. */
  text: string
  /** Text of the answer that the service is writing; a different one, if it had to start over. */
  sent: string
  lastId: string
}

/**
 * Reads one connection until it ends or fails. Text that was received before is not passed on again: a service
 * that resumes an answer continues after it, and one that starts over repeats it first. If that is a different
 * answer, no more text is passed on, and the reply at the end is what counts.
 */
export async function* readAnswer(
  service: Service,
  body: unknown,
  headers: Record<string, string>,
  progress: StreamProgress,
  caller: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const deadline = createDeadline(caller)
  const { lastId } = progress
  const sentHeaders: Record<string, string> = lastId ? { ...headers, "Last-Event-ID": lastId } : headers
  try {
    const response = await post(
      service,
      "/v1/answers",
      body,
      deadline,
      15_000,
      sentHeaders,
      lastId ? "cut" : "offline",
    )
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      throw new SensecheckError("broken", { status: response.status })
    }
    const readEvents = createEventReader()
    for await (const chunk of readChunks(response, deadline, service.idleTimeout)) {
      for (const { name, data, id } of readEvents(chunk)) {
        if (/^\d{1,9}$/.test(id)) progress.lastId = id
        if (name === "start") progress.sent = [...progress.sent].slice(0, Number(progress.lastId)).join("")
        if (name === "delta") {
          const delta = requireShape(parseJson(data), { text: "", checked: true })
          if (delta.checked) progress.sent = checkLength(progress.sent + delta.text)
          const fresh = progress.sent.startsWith(progress.text)
            ? progress.sent.slice(progress.text.length)
            : ""
          progress.text += fresh
          if (fresh !== "") yield { kind: "text", text: fresh }
        }
        if (name === "problem") {
          const problem = requireShape(parseJson(data), { status: 0 })
          throw errorFromProblem(problem, problem.status)
        }
        if (name === "end") {
          yield { kind: "end", reply: parseAnswer(parseJson(data)) }
          return
        }
      }
    }
    throw new SensecheckError("cut")
  } finally {
    deadline.done()
  }
}
