import { mount } from "./mount.ts"
import { ATTRIBUTES, type Handle, optionsFrom } from "./options.ts"

/**
 * Defines an element that mounts while it is in the page, with options from its attributes: `endpoint`,
 * `api-key`, `scope`, `lang`, `dir`, `theme`, `shortcut`, `related="off"`, `feedback="off"`.
 */
export function defineElement(name = "sensecheck-ask"): void {
  if (customElements.get(name)) return
  // Made here and not above: where there is no page, there is nothing to extend.
  class Ask extends HTMLElement {
    static readonly observedAttributes = ATTRIBUTES
    #desk: Handle | undefined
    #isInPage = false

    connectedCallback() {
      this.disconnectedCallback()
      this.#isInPage = true
      this.#desk = mount({ root: this, ...optionsFrom((name) => this.getAttribute(name), "") })
    }

    disconnectedCallback() {
      this.#isInPage = false
      this.#desk?.destroy()
      this.#desk = undefined
    }

    attributeChangedCallback() {
      if (this.#isInPage) this.connectedCallback()
    }
  }
  customElements.define(name, Ask)
}
