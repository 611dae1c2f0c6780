import { render } from "preact"
import "../style/studio.css"
import { Studio } from "./Studio"

render(<Studio />, document.getElementById("app")!)
