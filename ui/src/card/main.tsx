import { FORMAT, type CardData } from "../data/card"
import { showPage } from "../components/showPage"
import "../style/card.css"
import { CardPage } from "./CardPage"

await showPage<CardData>("card", FORMAT, (card) => <CardPage card={card} />)
