import { useEffect } from "preact/hooks"
import type { CardData } from "../data/card"
import { useKeys } from "../components/useKeys"
import { ThemeToggle, useTheme } from "../components/Theme"
import { CodeText } from "../components/CodeText"
import { Claims } from "./Claims"
import { Origin } from "./Origin"
import { Rates } from "./Rates"
import { Reliability } from "./Reliability"
import { RocCurve } from "./RocCurve"
import { Scores } from "./Scores"
import { Slices } from "./Slices"

/** A calibration card: the promise of a threshold, its error rates on held-out answers, and its provenance. */
export function CardPage({ card }: { card: CardData }) {
  const [theme, nextTheme] = useTheme()
  useKeys({ t: nextTheme })
  useEffect(() => {
    document.title = `${card.name} · calibration card`
  }, [card.name])
  return (
    <>
      <header class="head">
        <div class="head-title">
          <p class="eyebrow">sensecheck · calibration card</p>
          <h1 dir="auto">{card.name}</h1>
          <p class="promise" dir="auto">
            <CodeText text={card.promise} />
          </p>
          <p class="small">
            An answer passes with a score of <b>{card.passes}</b>, as <code dir="auto">{card.measure}</code>{" "}
            measures it{card.claims.length > 0 && ", by its number of claims"}. Promise and rates are about{" "}
            <CodeText text={card.speaks_of} />.
          </p>
        </div>
        <div class="head-tools">
          <ThemeToggle theme={theme} onNext={nextTheme} />
        </div>
      </header>
      <main class="main">
        {card.broken.length > 0 && (
          <Notes title="The held-out answers contradict the promise" notes={card.broken} />
        )}
        <Rates card={card} />
        {card.claims.length > 0 && <Claims card={card} />}
        {card.warnings.length > 0 && <Notes title="Warnings" notes={card.warnings} />}
        {card.histogram ? (
          <Scores card={card} distribution={card.histogram} />
        ) : (
          <p class="card">No rows were held out, so there are no rates and there is nothing to draw.</p>
        )}
        {card.histogram && (
          <div class="chart-pair">
            {card.roc && <RocCurve card={card} roc={card.roc} />}
            {card.reliability.length > 0 && <Reliability bins={card.reliability} />}
          </div>
        )}
        {card.slices.length > 0 && <Slices card={card} />}
        <Origin card={card} />
        <footer class="small">Written by sensecheck {card.version}.</footer>
      </main>
    </>
  )
}

function Notes({ title, notes }: { title: string; notes: string[] }) {
  return (
    <section class="card warning">
      <h2>{title}</h2>
      <ul>
        {notes.map((note) => (
          <li key={note} dir="auto">
            {note}
          </li>
        ))}
      </ul>
    </section>
  )
}
