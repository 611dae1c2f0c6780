import { FORMAT, type CardData } from "../data/card"
import { showPage } from "../pieces/page"
import "../style/card.css"
import { CardPage } from "./CardPage"

await showPage<CardData>("card", FORMAT, (card) => <CardPage card={card} />)
