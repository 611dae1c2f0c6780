import { FORMAT, type GroundingData } from "../data/grounding"
import { showPage } from "../components/showPage"
import "../style/grounding.css"
import { GroundingPage } from "./GroundingPage"

await showPage<GroundingData>("grounding", FORMAT, (grounding) => <GroundingPage grounding={grounding} />)
