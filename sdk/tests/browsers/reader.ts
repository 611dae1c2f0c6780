import type { ElementHandle, Page } from "puppeteer-core"

const PATIENCE = 20_000

/** Asks again and again until there is something; says what was waited for when there is not. */
export async function until<T>(what: string, probe: () => Promise<T | null | false | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const found = await probe()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited ${PATIENCE / 1000} seconds for ${what}`)
    await new Promise((done) => setTimeout(done, 25))
  }
}

/** Where a text stands in the page: from before its first letter to behind its last. */
function placeOf(page: Page, text: string) {
  return page.evaluate((wanted) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const start = (node.nodeValue ?? "").indexOf(wanted)
      if (start < 0) continue
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + wanted.length)
      node.parentElement?.scrollIntoView({ block: "center", behavior: "instant" })
      const lines = range.getClientRects()
      const [first, last] = [lines[0], lines[lines.length - 1]]
      if (!first || !last) throw new Error(`"${wanted}" is in the page, but not to be seen`)
      const middle = (line: DOMRect) => line.top + line.height / 2
      return { from: [first.left + 0.5, middle(first)], to: [last.right - 0.5, middle(last)] } as {
        from: [number, number]
        to: [number, number]
      }
    }
    throw new Error(`"${wanted}" is not in the page`)
  }, text)
}

/** Draws the mouse over a text. */
export async function selectByMouse(page: Page, text: string): Promise<void> {
  const { from, to } = await placeOf(page, text)
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, to[1])
  await page.mouse.move(...to)
  await page.mouse.up()
}

/** The last button or link of ours with these words, where it can be pressed. */
async function button(page: Page, name: string) {
  const handle = await page.evaluateHandle((wanted) => {
    const named = (node: Element) => node.ariaLabel || node.textContent || "" // an empty label counts for none
    const all = [...(widgetRoot()?.querySelectorAll("button, a") ?? [])]
    return all.findLast((one) => one.checkVisibility() && named(one).includes(wanted)) ?? null
  }, name)
  return handle.asElement() as ElementHandle<Element> | null
}

export async function press(page: Page, name: string): Promise<void> {
  const found = await until(`a button "${name}"`, () => button(page, name))
  await found.click()
}

export async function hasButton(page: Page, name: string): Promise<boolean> {
  return (await button(page, name)) !== null
}

/** Selects a text and opens the dialog about it, both with the mouse. */
export async function openByMouse(page: Page, text: string): Promise<void> {
  await selectByMouse(page, text)
  await press(page, "Ask about this")
  await until("the dialog", () => isOpen(page))
  await noteAnnouncements(page)
}

export function isOpen(page: Page): Promise<boolean> {
  return page.evaluate(() => widgetRoot()?.querySelector("[role=dialog]")?.checkVisibility() === true)
}

/** Types a question into the field that has the focus, and sends it. */
export async function send(page: Page, question: string): Promise<void> {
  await page.keyboard.type(question)
  await page.keyboard.press("Enter")
}

/** Asks, and waits for how it ends; what was announced for it. */
export function ask(page: Page, question: string): Promise<string[]> {
  return announcedFor(page, () => send(page, question))
}

/** What is announced for a question that is asked by doing this. */
export async function announcedFor(page: Page, act: () => Promise<void>): Promise<string[]> {
  const before = (await announced(page)).length
  await act()
  await until("the end of the question", async () => (await announced(page)).length >= before + 2)
  return (await announced(page)).slice(before)
}

/** What a reader sees of ours; what is hidden is not seen. */
export function shown(page: Page): Promise<string> {
  return page.evaluate(() => widgetRoot()?.querySelector<HTMLElement>("[role=dialog]")?.innerText ?? "")
}

/** From now on each new text of the status region is noted. */
export async function noteAnnouncements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const status = widgetRoot()?.querySelector("[role=status]")
    if (!status) throw new Error("there is no status region")
    if (globalThis.announcements) return
    const said: string[] = []
    globalThis.announcements = said
    globalThis.noting = new MutationObserver(() => said.push(status.textContent ?? ""))
    noting.observe(status, { childList: true, characterData: true, subtree: true })
  })
}

/** The test leaves nothing of its own in the page either. */
export async function stopNoting(page: Page): Promise<void> {
  await page.evaluate(() => noting.disconnect())
}

export function announced(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis.announcements ?? []).filter((text) => text !== ""))
}

/** The texts that are highlighted in the page. */
export function highlighted(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("sensecheck-evidence") ?? [])].map((range) => (range as Range).toString()),
  )
}

declare global {
  var noting: MutationObserver
  var announcements: string[] | undefined
}
