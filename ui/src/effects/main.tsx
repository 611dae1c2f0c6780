import { render } from "preact"
import { unpacked } from "../data/blob"
import type { EffectsReport } from "../data/effects"
import "../style/effects.css"
import { Effects } from "./Effects"

const app = document.getElementById("app")!
try {
  const held = document.querySelector('script[data-blob="effects"]')
  if (!held) throw new Error("this page holds no report")
  render(<Effects report={await unpacked<EffectsReport>(held.textContent)} />, app)
} catch (wrong) {
  render(
    <p class="broken" role="alert">
      This report cannot be shown: {String(wrong)}
    </p>,
    app,
  )
}
