const AROUND = 32
/** How many characters, of the quote and what stands around it, are enough to know a place by. */
const ENOUGH = 24

/**
 * Where in `now` stands what began at `start` in `was`: by what it says, what stood around it, and where it
 * stood. -1 when it is gone, or when it cannot be told which of several it is.
 */
export function findAgain(was: string, start: number, end: number, now: string): number {
  for (const left of [AROUND, AROUND / 2, 0])
    for (const right of [AROUND, AROUND / 2, 0]) {
      const from = Math.max(0, start - left)
      const wanted = was.slice(from, end + right)
      if (wanted.length < ENOUGH && left + right < 2 * AROUND) continue
      const at = onlyPlaceOf(wanted, now, from, was.length)
      if (at >= 0) return at + start - from
    }
  return -1
}

/** The only place of `wanted`; of several, the one that is still as far from the beginning, or from the end. */
function onlyPlaceOf(wanted: string, now: string, before: number, lengthBefore: number): number {
  const first = now.indexOf(wanted)
  if (first === now.lastIndexOf(wanted)) return first
  const places = [before, before + now.length - lengthBefore]
  const [place = -1, other = place] = places.filter((at) => now.startsWith(wanted, at))
  return place === other ? place : -1
}
