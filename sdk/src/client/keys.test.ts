import { describe, expect, it } from "vitest"
import { SensecheckError } from "./errors.ts"
import { keyHeaders } from "./keys.ts"

describe("keyHeaders", () => {
  it("sends a publishable key, and nothing without one", () => {
    expect(keyHeaders("pk_abc")).toEqual({ Authorization: "Bearer pk_abc" })
    expect(keyHeaders(undefined)).toEqual({})
  })

  it.each(["sk_abc", " sk_abc", "SK_ABC", "Bearer sk_abc"])("refuses the secret key %j", (key) => {
    let caught: unknown
    try {
      keyHeaders(key)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(SensecheckError)
    expect(caught).toMatchObject({ kind: "secret-key", status: 0 })
    expect(String(caught)).not.toContain("abc")
  })

  it.each(["", "pk_a b", "pk_a\r\nX-Other: 1", "pk_ä"])("refuses %j, which is no key", (key) => {
    expect(() => keyHeaders(key)).toThrow(TypeError)
  })
})
