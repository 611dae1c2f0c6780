// @vitest-environment happy-dom
import { render } from "preact"
import { afterEach, expect, test } from "vitest"
import { ScoreBar } from "../src/components/ScoreBar"
import { MarkedText } from "../src/components/MarkedText"
import { OutcomeBadge } from "../src/components/OutcomeBadge"
import { OutcomeBar } from "../src/components/OutcomeBar"
import { CodeText } from "../src/components/CodeText"
import { HALF } from "./sampleIndex"

const root = document.createElement("div")
afterEach(() => render(null, root))

test("an outcome is shown in words, not only in colour", () => {
  render(<OutcomeBadge outcome="unsure" />, root)
  expect(root.textContent).toBe("unsure")
})

test("a bar states the score and the cutoff", () => {
  render(<ScoreBar value={0.7} cutoff={HALF} outcome="pass" />, root)
  expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toBe(
    "score 0.700, cutoff: at least 0.5 (uncalibrated)",
  )
  expect(root.querySelector<HTMLElement>(".cutoff")!.style.left).toBe("50%")
})

test("a bar without tests says so", () => {
  render(<OutcomeBar counts={{ pass: 0, fail: 0, unsure: 0, error: 0, measured: 0 }} />, root)
  expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toBe("no tests")
})

test("quotations are quoted, and a lone backtick is left alone", () => {
  render(<CodeText text="`30` is not there" />, root)
  expect(root.querySelector("code")!.textContent).toBe("30")
  render(<CodeText text="a ` b" />, root)
  expect(root.querySelector("code")).toBeNull()
})

test("untrusted text is shown as text, whatever it looks like", () => {
  const text = "</script><img src=x onerror=alert(1)>"
  render(
    <MarkedText
      text={text}
      marks={[{ start: 9, end: 13, as: { tone: "wrong", about: "<b>", id: 0 } }]}
      pointed={null}
      onPoint={() => undefined}
    />,
    root,
  )
  expect(root.textContent).toBe(text)
  expect(root.querySelector("img")).toBeNull()
  expect(root.querySelector("mark")!.textContent).toBe("<img")
})

test("a very long text is cut, and says by how much", () => {
  render(<MarkedText text={"a".repeat(20_001)} marks={[]} pointed={null} onPoint={() => undefined} />, root)
  expect(root.querySelector("button")!.textContent).toBe("Show 1 more character")
})
