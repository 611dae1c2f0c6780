import siteConfig from "@generated/docusaurus.config"
import { mount } from "sensecheck-ask"

let desk

// Pages change without a reload: each gets a desk of its own, so that nothing of the last one stays.
export function onRouteDidUpdate({ location, previousLocation }) {
  if (location.pathname === previousLocation?.pathname) return
  desk?.destroy()
  desk = mount({ ...siteConfig.customFields.ask, scope: "article" })
}
