import type { Outcome } from "../data/outcome"
import type { Line } from "../data/run"
import { along, domainWith } from "../data/scale"
import { decimals } from "../data/words"

interface Asked {
  value: number
  line?: Line | undefined
  outcome?: Outcome | undefined
}

/** A reading as a bar, with the line drawn in, its band of doubt, and an arrow to the good side. */
export function ClosenessBar({ value, line, outcome }: Asked) {
  const domain = domainWith(value, line)
  const at = (number: number) => `${along(domain, number) * 100}%`
  const zero = along(domain, 0)
  const end = along(domain, value)
  const said = line ? `read ${decimals(value)}, wanted ${line.words}` : `read ${decimals(value)}`
  return (
    <div
      class={`closeness ${outcome ? `closeness-${outcome}` : ""}`}
      role="img"
      aria-label={said}
      title={said}
    >
      <div class="track">
        {line?.doubt && (
          <span
            class="doubt"
            style={{
              left: at(line.doubt[0]),
              width: `${(along(domain, line.doubt[1]) - along(domain, line.doubt[0])) * 100}%`,
            }}
          />
        )}
        <span
          class="fill"
          style={{ left: `${Math.min(zero, end) * 100}%`, width: `${Math.abs(end - zero) * 100}%` }}
        />
        {line && <span class={`line line-${line.good}`} style={{ left: at(line.line) }} />}
      </div>
      <span class="number">{decimals(value)}</span>
    </div>
  )
}
