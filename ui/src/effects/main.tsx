import { render } from "preact"
import { unpack } from "../data/unpack"
import type { EffectsReport } from "../data/effects"
import "../style/effects.css"
import { Effects } from "./Effects"

const app = document.getElementById("app")!
try {
  const script = document.querySelector('script[data-blob="effects"]')
  if (!script) throw new Error("this page contains no report")
  render(<Effects report={await unpack<EffectsReport>(script.textContent)} />, app)
} catch (error) {
  render(
    <p class="page-error" role="alert">
      This report cannot be shown: {String(error)}
    </p>,
    app,
  )
}
