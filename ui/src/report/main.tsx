import { render } from "preact"
import { readStore } from "../data/store"
import "../style/index.css"
import { Report } from "./Report"

const app = document.getElementById("app")!
try {
  render(<Report store={await readStore(document)} />, app)
} catch (error) {
  render(
    <p class="page-error" role="alert">
      This report cannot be shown: {String(error)}
    </p>,
    app,
  )
}
