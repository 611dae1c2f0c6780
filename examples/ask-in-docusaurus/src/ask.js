import siteConfig from "@generated/docusaurus.config"
import { mount } from "sensecheck-ask"

let widget

// Pages change without a reload: each gets its own widget, so that nothing of the previous page remains.
export function onRouteDidUpdate({ location, previousLocation }) {
  if (location.pathname === previousLocation?.pathname) return
  widget?.destroy()
  widget = mount({ ...siteConfig.customFields.ask, scope: "article", suggestions: ["How long may I keep a tool?", "What does it cost?"] })
}
