import { type Handle, optionsFrom } from "./desk/options.ts"
import { createClient, defineElement, mount, RagChatbot, SensecheckError } from "./index.ts"

/** Everything, as the page sees it; `desk` is what the script's own tag has mounted. */
const Sensecheck: Record<string, unknown> & { desk?: Handle } = {
  createClient,
  defineElement,
  mount,
  RagChatbot,
  SensecheckError,
}
Object.assign(window, { Sensecheck })

/** What is wrong with the tag stands in the console, as an error that nobody catches. */
function mountFrom({ dataset, src }: HTMLScriptElement) {
  Sensecheck.desk = mount(optionsFrom((name) => dataset[name], src && new URL(src).origin))
}

const tag = document.currentScript
if (tag instanceof HTMLScriptElement && tag.dataset["mount"] !== "off") {
  if (document.body) mountFrom(tag)
  else document.addEventListener("DOMContentLoaded", () => mountFrom(tag), { once: true })
}
