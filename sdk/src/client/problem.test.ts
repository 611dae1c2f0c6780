import { describe, expect, it } from "vitest"
import { errorFromProblem } from "./problem.ts"

const told = (name: unknown, more = {}) => ({ type: name, ...more })

describe("errorFromProblem", () => {
  it.each([
    [429, "limited"],
    [413, "too-large"],
    [408, "timeout"],
    [504, "timeout"],
    [502, "busy"],
    [503, "busy"],
    [400, "refused"],
    [401, "refused"],
    [403, "refused"],
    [404, "refused"],
    [422, "refused"],
    [500, "broken"],
    [501, "broken"],
    [302, "broken"],
  ])("%d is %s", (status, kind) => {
    expect(errorFromProblem(undefined, status)).toMatchObject({ kind, status, problem: undefined })
  })

  it("takes the fixed name of a problem and no other word", () => {
    const error = errorFromProblem(
      told("urn:sensecheck:problem:under-way", { title: "TITLE", detail: "DETAIL" }),
      409,
    )
    expect(error).toMatchObject({ kind: "busy", problem: "under-way" })
    expect(JSON.stringify(error) + String(error)).not.toMatch(/TITLE|DETAIL/)
  })

  it.each([
    "about:blank",
    "urn:sensecheck:problem:<script>",
    `urn:sensecheck:problem:${"a".repeat(41)}`,
    7,
    null,
    { toString: 1 },
  ])("ignores the type %j", (type) => {
    expect(errorFromProblem(told(type), 403).problem).toBeUndefined()
  })

  it.each([
    ["7", {}, 7],
    ["0", {}, 0],
    [null, { retry_after: 5 }, 5],
    [null, { retry_after: 0 }, 0],
    [null, { retry_after: "5" }, undefined],
    [null, { retry_after: -1 }, undefined],
    ["Wed, 21 Oct 2026 07:28:00 GMT", {}, undefined],
    ["-1", {}, undefined],
    [null, {}, undefined],
  ])("of Retry-After %j and %j comes %j", (header, more, seconds) => {
    expect(errorFromProblem(told(undefined, more), 503, header).retryAfter).toBe(seconds)
  })
})
