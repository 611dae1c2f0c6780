import type { Page } from "puppeteer-core"

/** Everything that code can leave behind in a page. */
export interface PageResources {
  /** On the window, the document, their nodes, and on things that are no nodes. */
  listeners: string[]
  observers: number
  timers: number
  nodes: number
  attributes: number
  sheets: number
  highlights: number
  globals: string[]
}

/** Run in a page before our script, it counts what is added and taken away from then on. */
export const COUNT_RESOURCES = `
  globalThis.countResources = (() => {
    const listeners = new Map(), observed = new Set(), timers = new Set()
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
    const nameOf = (type, options) => type + (options === true || options?.capture ? " capture" : "")
    const forget = (target, name, told) => listeners.get(target)?.get(name)?.delete(told)
    EventTarget.prototype.addEventListener = function (type, told, options) {
      const target = this ?? globalThis, name = nameOf(type, options)
      add.call(target, type, told, options)
      if (!told || options?.signal?.aborted) return
      if (!listeners.has(target)) listeners.set(target, new Map())
      const named = listeners.get(target)
      if (!named.has(name)) named.set(name, new Set())
      named.get(name).add(told)
      if (options?.signal) add.call(options.signal, "abort", () => forget(target, name, told))
      if (options?.once) add.call(target, type, () => forget(target, name, told), { once: true })
    }
    EventTarget.prototype.removeEventListener = function (type, told, options) {
      remove.call(this ?? globalThis, type, told, options)
      forget(this ?? globalThis, nameOf(type, options), told)
    }
    for (const kind of [MutationObserver, ResizeObserver, IntersectionObserver]) {
      const { observe, disconnect } = kind.prototype
      kind.prototype.observe = function (...all) { observed.add(this); return observe.apply(this, all) }
      kind.prototype.disconnect = function () { observed.delete(this); return disconnect.call(this) }
    }
    for (const [start, stop] of [["setTimeout", "clearTimeout"], ["requestAnimationFrame", "cancelAnimationFrame"]]) {
      const starts = globalThis[start], stops = globalThis[stop]
      globalThis[start] = (run, ...more) => {
        const id = starts.call(globalThis, (...given) => { timers.delete(start + id); run(...given) }, ...more)
        timers.add(start + id)
        return id
      }
      globalThis[stop] = (id) => { timers.delete(start + id); stops.call(globalThis, id) }
    }
    const { setInterval: every, clearInterval: never } = globalThis
    globalThis.setInterval = (...all) => { const id = every(...all); timers.add("every" + id); return id }
    globalThis.clearInterval = (id) => { timers.delete("every" + id); never(id) }
    const here = (target) => target instanceof Node ? target.isConnected : !target.aborted // nothing follows an abort
    return () => ({
      listeners: [...listeners].filter(([target]) => here(target)).flatMap(([target, named]) =>
        [...named].filter(([, all]) => all.size > 0).map(([name]) => target.constructor.name + " " + name)),
      observers: observed.size,
      timers: timers.size,
      nodes: document.querySelectorAll("*").length,
      attributes: [...document.querySelectorAll("*")].reduce((sum, node) => sum + node.attributes.length, 0),
      sheets: document.adoptedStyleSheets.length,
      highlights: CSS.highlights.size,
      globals: Object.keys(globalThis).filter((name) => name !== "Sensecheck"),
    })
  })()
`

declare global {
  function countResources(): PageResources
}

export function resourcesIn(page: Page): Promise<PageResources> {
  return page.evaluate(() => countResources())
}
