import { defineElement } from "./widget/element.ts"

// There are no custom elements on a server.
if (typeof customElements !== "undefined") defineElement()
