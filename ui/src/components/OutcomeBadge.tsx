import type { Outcome } from "../data/outcome"

/** Each outcome has a colour, a shape and a word: none of them alone carries the meaning. */
const SHAPES: Record<Outcome, string> = {
  pass: "M3.5 8.5l3 3 6-7",
  fail: "M4 4l8 8M12 4l-8 8",
  unsure: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.6v.1",
  error: "M8 5.4v4.4M8 12.3v.2",
  measured: "M3 8h10",
}

export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  return (
    <svg class={`mark mark-${outcome}`} viewBox="0 0 16 16" aria-hidden="true">
      {outcome === "error" ? (
        <path class="background" d="M8 .8 15.6 15H.4z" />
      ) : (
        <circle class="background" cx="8" cy="8" r="8" />
      )}
      <path class="shape" d={SHAPES[outcome]} />
    </svg>
  )
}

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return (
    <span class={`badge badge-${outcome}`}>
      <OutcomeMark outcome={outcome} />
      {outcome}
    </span>
  )
}
