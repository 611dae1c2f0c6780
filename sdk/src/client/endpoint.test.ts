import { describe, expect, it } from "vitest"
import { baseUrl } from "./endpoint.ts"

describe("baseUrl", () => {
  it.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["http://localhost:8123", "http://localhost:8123"],
    ["https://example.com/ask//", "https://example.com/ask"],
    ["", ""],
    ["/", ""],
    ["/ask/", "/ask"],
  ])("%j is %j", (endpoint, base) => {
    expect(baseUrl(endpoint)).toBe(base)
  })

  it.each([
    "api.example.com",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "data:text/plain,a",
    "file:///etc",
    "https://user:hunter2@api.example.com",
    "https://hunter2@api.example.com",
    "https://api.example.com?key=1",
    "https://api.example.com/#a",
    "/ask?x",
  ])("refuses %j, without repeating it", (endpoint) => {
    expect(() => baseUrl(endpoint)).toThrow(TypeError)
    expect(() => baseUrl(endpoint)).not.toThrow(/evil|hunter2|alert|etc|key=1/)
  })
})
