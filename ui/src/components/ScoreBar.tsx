import { domainWithCutoff, fraction } from "../data/domain"
import { decimals } from "../data/format"
import type { Outcome } from "../data/outcome"
import type { Cutoff } from "../data/run"

interface Props {
  value: number
  cutoff?: Cutoff | undefined
  outcome?: Outcome | undefined
}

/** A score as a bar, with the cutoff, its unsure band, and an arrow towards the passing side. */
export function ScoreBar({ value, cutoff, outcome }: Props) {
  const domain = domainWithCutoff(value, cutoff)
  const at = (number: number) => `${fraction(domain, number) * 100}%`
  const zero = fraction(domain, 0)
  const end = fraction(domain, value)
  const label = cutoff ? `score ${decimals(value)}, cutoff: ${cutoff.words}` : `score ${decimals(value)}`
  return (
    <div
      class={`score-bar ${outcome ? `score-bar-${outcome}` : ""}`}
      role="img"
      aria-label={label}
      title={label}
    >
      <div class="track">
        {cutoff?.doubt && (
          <span
            class="unsure-band"
            style={{
              left: at(cutoff.doubt[0]),
              width: `${(fraction(domain, cutoff.doubt[1]) - fraction(domain, cutoff.doubt[0])) * 100}%`,
            }}
          />
        )}
        <span
          class="fill"
          style={{ left: `${Math.min(zero, end) * 100}%`, width: `${Math.abs(end - zero) * 100}%` }}
        />
        {cutoff && <span class={`cutoff cutoff-${cutoff.good}`} style={{ left: at(cutoff.line) }} />}
      </div>
      <span class="number">{decimals(value)}</span>
    </div>
  )
}
