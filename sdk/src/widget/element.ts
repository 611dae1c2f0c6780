import { mount } from "./mount.ts"
import { ATTRIBUTES, type Handle, optionsFrom } from "./options.ts"

/**
 * Defines an element that mounts the widget while it is in the page, with options from its attributes: `endpoint`,
 * `api-key`, `scope`, `lang`, `dir`, `theme`, `shortcut`, `related="off"`, `feedback="off"`.
 */
export function defineElement(name = "sensecheck-ask"): void {
  if (customElements.get(name)) return
  // Defined here, since there is no HTMLElement without a document.
  class Ask extends HTMLElement {
    static readonly observedAttributes = ATTRIBUTES
    #widget: Handle | undefined
    #isConnected = false

    connectedCallback() {
      this.disconnectedCallback()
      this.#isConnected = true
      this.#widget = mount({ root: this, ...optionsFrom((name) => this.getAttribute(name), "") })
    }

    disconnectedCallback() {
      this.#isConnected = false
      this.#widget?.destroy()
      this.#widget = undefined
    }

    attributeChangedCallback() {
      if (this.#isConnected) this.connectedCallback()
    }
  }
  customElements.define(name, Ask)
}
