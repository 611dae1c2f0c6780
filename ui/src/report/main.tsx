import { render } from "preact"
import { storeIn } from "../data/store"
import "../style/index.css"
import { Report } from "./Report"

const app = document.getElementById("app")!
try {
  render(<Report store={await storeIn(document)} />, app)
} catch (wrong) {
  render(
    <p class="broken" role="alert">
      This report cannot be shown: {String(wrong)}
    </p>,
    app,
  )
}
