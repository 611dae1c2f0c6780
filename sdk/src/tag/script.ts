import { createClient, defineElement, mount, RagChatbot, SensecheckError } from "../index.ts"
import { type Handle, optionsFrom } from "../widget/options.ts"

/** The global `Sensecheck`; `widget` is the handle of the widget that the script's own tag has mounted. */
const Sensecheck: Record<string, unknown> & { widget?: Handle } = {
  createClient,
  defineElement,
  mount,
  RagChatbot,
  SensecheckError,
}
Object.assign(window, { Sensecheck })

/** An error in the tag is reported in the console. */
function mountFrom(tag: HTMLScriptElement) {
  const { src } = tag
  Sensecheck.widget = mount(
    optionsFrom((name) => tag.getAttribute(`data-${name}`), src && new URL(src).origin),
  )
}

const tag = document.currentScript
if (tag instanceof HTMLScriptElement && tag.dataset["mount"] !== "off") {
  if (document.body) mountFrom(tag)
  else document.addEventListener("DOMContentLoaded", () => mountFrom(tag), { once: true })
}
