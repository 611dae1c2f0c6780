import { headlineFirst, type EvalsIndex, type Spread } from "../data/evals"
import { plainly, counted, decimals, whole } from "../data/words"
import { ThemeToggle, type Theme } from "../pieces/Theme"
import { Tile } from "../pieces/Tile"

const MOST = 5

interface Asked {
  index: EvalsIndex
  theme: Theme
  onTheme: () => void
  sections: [id: string, name: string][]
}

/** Which run it is, and the figures that are looked for first. */
export function Head({ index, theme, onTheme, sections }: Asked) {
  return (
    <header class="head">
      <div class="head-title">
        <p class="over" dir="auto">
          sensecheck · {index.project} · {index.test}
        </p>
        <h1 dir="auto">
          Run {index.run}
          {index.name && `: ${index.name}`}
        </h1>
        <p class="small">{about(index)}</p>
      </div>
      <div class="head-tools">
        <ThemeToggle theme={theme} onNext={onTheme} />
      </div>
      <dl class="tiles">
        {tiles(index.metrics).map((spread) => (
          <Tile
            key={`${spread.metric} ${spread.encoder}`}
            what={spread.metric}
            figure={spread.mean === null ? "n/a" : decimals(spread.mean)}
          >
            {interval(spread)}
          </Tile>
        ))}
        <Tile what="without an answer" figure={whole(index.unanswered)}>
          of {whole(index.reached)}
        </Tile>
      </dl>
      <nav class="sections" aria-label="Sections">
        {sections.map(([id, name]) => (
          <a key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  )
}

/** The metrics that say most, then whatever else there is. */
function tiles(metrics: readonly Spread[]): Spread[] {
  const first = metrics.filter(({ metric }, at) => metrics.findIndex((one) => one.metric === metric) === at)
  return headlineFirst(first)
    .slice(0, MOST)
    .map((at) => first[at]!)
}

export function interval({ low, high }: Pick<Spread, "low" | "high">): string {
  return low === null || high === null ? "no interval" : `${decimals(low)} to ${decimals(high)}`
}

function about({ at, reached, questions, whole: isWhole, metrics, generation }: EvalsIndex): string {
  const encoders = [...new Set(metrics.map(({ encoder }) => encoder).filter(Boolean))]
  const model = generation["model"]
  return [
    at.replace("T", " ").replace("+00:00", " UTC"),
    isWhole
      ? counted(reached, "question")
      : `not whole: ${whole(reached)} of ${counted(questions, "question")} so far, ${whole(questions - reached)} not reached`,
    encoders.length > 0 && `meaning compared by ${encoders.join(", ")}`,
    model !== undefined && `answers by ${plainly(model)}`,
  ]
    .filter(Boolean)
    .join(" · ")
}
