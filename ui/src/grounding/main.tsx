import { FORMAT, type GroundingData } from "../data/grounding"
import { showPage } from "../pieces/page"
import "../style/grounding.css"
import { GroundingPage } from "./GroundingPage"

await showPage<GroundingData>("grounding", FORMAT, (found) => <GroundingPage found={found} />)
