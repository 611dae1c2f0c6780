import { render } from "preact"
import { readEvalsStore } from "../data/evalsStore"
import "../style/evals.css"
import { Evals } from "./Evals"

const app = document.getElementById("app")!
try {
  render(<Evals store={await readEvalsStore(document)} />, app)
} catch (error) {
  render(
    <p class="page-error" role="alert">
      This report cannot be shown: {String(error)}
    </p>,
    app,
  )
}
