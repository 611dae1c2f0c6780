// @vitest-environment happy-dom
import { render } from "preact"
import { afterEach, expect, test } from "vitest"
import { ClosenessBar } from "../src/pieces/ClosenessBar"
import { MarkedText } from "../src/pieces/MarkedText"
import { OutcomeBadge } from "../src/pieces/OutcomeBadge"
import { TallyBar } from "../src/pieces/TallyBar"
import { Ticked } from "../src/pieces/Ticked"
import { HALF } from "./made"

const root = document.createElement("div")
afterEach(() => render(null, root))

test("an outcome is told in words, not only in colour", () => {
  render(<OutcomeBadge outcome="unsure" />, root)
  expect(root.textContent).toBe("unsure")
})

test("a bar says what was read and what was wanted", () => {
  render(<ClosenessBar value={0.7} line={HALF} outcome="pass" />, root)
  expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toBe(
    "read 0.700, wanted at least 0.5 (uncalibrated)",
  )
  expect(root.querySelector<HTMLElement>(".line")!.style.left).toBe("50%")
})

test("a bar without tests says so", () => {
  render(<TallyBar counts={{ pass: 0, fail: 0, unsure: 0, error: 0, measured: 0 }} />, root)
  expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toBe("no tests")
})

test("quotations are quoted, and a lone backtick is left alone", () => {
  render(<Ticked text="`30` is not there" />, root)
  expect(root.querySelector("code")!.textContent).toBe("30")
  render(<Ticked text="a ` b" />, root)
  expect(root.querySelector("code")).toBeNull()
})

test("what strangers wrote is a text, whatever it looks like", () => {
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
  expect(root.querySelector("button")!.textContent).toBe("Show the other 1 character")
})
