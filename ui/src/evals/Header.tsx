import { headlineFirst, type EvalsIndex, type Distribution } from "../data/evals"
import { toText, plural, decimals, integer } from "../data/format"
import { ThemeToggle, type Theme } from "../components/Theme"
import { Tile } from "../components/Tile"

const MAX_TILES = 5

interface Props {
  index: EvalsIndex
  theme: Theme
  onTheme: () => void
  sections: [id: string, name: string][]
}

/** The run and its key figures. */
export function Header({ index, theme, onTheme, sections }: Props) {
  return (
    <header class="head">
      <div class="head-title">
        <p class="eyebrow" dir="auto">
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
        {tiles(index.metrics).map((distribution) => (
          <Tile
            key={`${distribution.metric} ${distribution.encoder}`}
            label={distribution.metric}
            figure={distribution.mean === null ? "n/a" : decimals(distribution.mean)}
          >
            {interval(distribution)}
          </Tile>
        ))}
        <Tile label="without an answer" figure={integer(index.unanswered)}>
          of {integer(index.reached)}
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

/** The headline metrics first, then others. */
function tiles(metrics: readonly Distribution[]): Distribution[] {
  const first = metrics.filter(({ metric }, at) => metrics.findIndex((one) => one.metric === metric) === at)
  return headlineFirst(first)
    .slice(0, MAX_TILES)
    .map((at) => first[at]!)
}

export function interval({ low, high }: Pick<Distribution, "low" | "high">): string {
  return low === null || high === null ? "no interval" : `${decimals(low)} to ${decimals(high)}`
}

function about({ at, reached, questions, whole: isComplete, metrics, generation }: EvalsIndex): string {
  const encoders = [...new Set(metrics.map(({ encoder }) => encoder).filter(Boolean))]
  const model = generation["model"]
  return [
    at.replace("T", " ").replace("+00:00", " UTC"),
    isComplete
      ? plural(reached, "question")
      : `incomplete: ${integer(reached)} of ${plural(questions, "question")} so far, ${integer(questions - reached)} not processed`,
    encoders.length > 0 && `encoder ${encoders.join(", ")}`,
    model !== undefined && `answers by ${toText(model)}`,
  ]
    .filter(Boolean)
    .join(" · ")
}
