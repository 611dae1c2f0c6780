import { hits, interval, share, type CardData, type NamedRate, type Rate } from "../data/card"
import { fraction } from "../data/domain"

/** The error rates on held-out answers, each with its interval and its promise. */
export function Rates({ card }: { card: CardData }) {
  const end = endOf(card)
  return (
    <dl class="rates">
      {card.rates.map((one) => (
        <Named key={one.kind} one={one} promised={promisedOf(card, one)} end={end} />
      ))}
      {card.roc && (
        <div class="card rate">
          <dt>area under the ROC curve</dt>
          <dd>
            <b>
              {card.roc.whole ? "" : "≈ "}
              {card.roc.auc.toFixed(3)}
            </b>
            <span>how well the score separates good from bad answers: 1 is perfect, 0.5 is chance</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Named({ one, promised, end }: { one: NamedRate; promised: number | undefined; end: number }) {
  const { what, rate, kind } = one
  return (
    <div class={`card rate rate-${kind}`}>
      <dt>{what}</dt>
      <dd>
        <b>{rate ? share(rate.value) : "–"}</b>
        {rate && <Bar rate={rate} promised={promised} end={end} />}
        <span>
          {rate ? `${hits(rate)} held out; 95% interval ${interval(rate)}` : "no such answers were held out"}
        </span>
        {promised !== undefined && <span class="promised">promised: at most {share(promised)}</span>}
      </dd>
    </div>
  )
}

/** The interval as a bar on a scale that all rates share, with the promised limit. */
function Bar({ rate, promised, end }: { rate: Rate; promised: number | undefined; end: number }) {
  const at = (value: number) => `${fraction([0, end], value) * 100}%`
  const width = `${(fraction([0, end], rate.high) - fraction([0, end], rate.low)) * 100}%`
  return (
    <div class="rate-bar" aria-hidden="true">
      <span class="interval" style={{ left: at(rate.low), width }} />
      <span class="dot" style={{ left: at(rate.value) }} />
      {promised !== undefined && <span class="limit" style={{ left: at(promised) }} />}
    </div>
  )
}

function promisedOf({ targets }: CardData, { kind }: NamedRate): number | undefined {
  return kind === "unsure" ? undefined : targets[kind]
}

/** The end of the shared scale: slightly beyond the highest interval and promise. */
function endOf({ rates, targets }: CardData): number {
  const highest = Math.max(...rates.map(({ rate }) => rate?.high ?? 0), ...Object.values(targets), 0.01)
  return Math.min(1, highest * 1.08)
}
