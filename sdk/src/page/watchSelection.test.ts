import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { watchSelection } from "./watchSelection.ts"

let told: (string | null)[] = []
let stop: () => void

const start = (scope?: string) => {
  stop = watchSelection({ document, ...(scope ? { scope } : {}) }, (range) =>
    told.push(range?.toString() ?? null),
  )
}
const say = (type: string, init: PointerEventInit = {}) =>
  document.dispatchEvent(type.startsWith("pointer") ? new PointerEvent(type, init) : new Event(type))
const select = (selector: string) => {
  const node = document.querySelector(selector)
  if (!node) throw new Error(`nothing is ${selector}`)
  document.getSelection()?.selectAllChildren(node)
  say("selectionchange")
}
const clear = () => {
  document.getSelection()?.removeAllRanges()
  say("selectionchange")
}

beforeEach(() => {
  vi.useFakeTimers()
  told = []
  document.body.innerHTML =
    "<main><p id='one'>first</p><p id='two'>second</p><p id='blank'> \n </p></main><p id='out'>outside</p>" +
    "<div contenteditable='true'><p id='edited'>edited</p></div><div data-sensecheck-off><p id='off'>off</p></div>"
})
afterEach(() => {
  stop()
  clear()
  vi.useRealTimers()
})

describe("a selection is reported", () => {
  it("once it rests, and once only", () => {
    start()
    select("#one")
    vi.advanceTimersByTime(150)
    select("#two")
    vi.advanceTimersByTime(199)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    say("selectionchange")
    vi.advanceTimersByTime(500)
    expect(told).toEqual(["second"])
  })

  it("when it was there before", () => {
    select("#one")
    start()
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["first"])
  })

  it.each(["pointerup", "pointercancel"])("not before %s", (end) => {
    start()
    say("pointerdown", { button: 0 })
    select("#one")
    vi.advanceTimersByTime(5_000)
    expect(told).toEqual([])
    say(end)
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["first"])
  })

  it("although another button was pressed, whose end is not always heard", () => {
    start()
    say("pointerdown", { button: 2 })
    select("#one")
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["first"])
  })

  it("as gone, once", () => {
    start()
    select("#one")
    vi.advanceTimersByTime(200)
    clear()
    vi.advanceTimersByTime(200)
    select("#blank")
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["first", null])
  })
})

describe("a selection is not reported", () => {
  it.each(["#blank", "#edited", "#off", "#out"])("in %s", (selector) => {
    start("main, [contenteditable], [data-sensecheck-off]")
    select(selector)
    vi.advanceTimersByTime(200)
    expect(told).toEqual([])
  })

  it("with an end outside the scope", () => {
    start("#one, #two")
    select("main")
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["firstsecond"])
    select("body")
    vi.advanceTimersByTime(200)
    expect(told.length).toBe(2)
    expect(told[1]).toBeNull()
  })

  it("while the focus is in a host of ours", () => {
    start()
    select("#one")
    vi.advanceTimersByTime(200)
    const host = document.querySelector<HTMLElement>("[data-sensecheck-off]")
    host?.setAttribute("tabindex", "0")
    host?.focus()
    clear()
    vi.advanceTimersByTime(200)
    expect(told).toEqual(["first"])
  })

  it("after the end", () => {
    start()
    select("#one")
    stop()
    vi.advanceTimersByTime(500)
    select("#two")
    vi.advanceTimersByTime(500)
    expect(told).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
