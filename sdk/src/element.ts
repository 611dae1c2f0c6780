import { defineElement } from "./desk/element.ts"

// Where pages are only written, and not shown, there are no elements to define.
if (typeof customElements !== "undefined") defineElement()
