import { render } from "preact"
import { evalsIn } from "../data/evalsStore"
import "../style/evals.css"
import { Evals } from "./Evals"

const app = document.getElementById("app")!
try {
  render(<Evals store={await evalsIn(document)} />, app)
} catch (wrong) {
  render(
    <p class="broken" role="alert">
      This report cannot be shown: {String(wrong)}
    </p>,
    app,
  )
}
