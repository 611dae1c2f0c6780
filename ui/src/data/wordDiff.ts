import type { Mark } from "./marks"

const WORD = /[\p{L}\p{N}]+/gu
/** Texts with more words than this are compared by which words they have, not by their order. */
const MOST = 1500

interface Word {
  start: number
  end: number
  said: string
}

/** The words of two texts that the other one does not have, or not there. */
export function unshared(one: string, other: string): [Mark<null>[], Mark<null>[]] {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)]
  const [kept, held] =
    mine.length * theirs.length <= MOST * MOST ? inOrder(mine, theirs) : anywhere(mine, theirs)
  return [marks(mine, kept), marks(theirs, held)]
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    said: found[0].toLowerCase(),
  }))
}

function marks(words: readonly Word[], shared: ReadonlySet<number>): Mark<null>[] {
  return words.filter((_, at) => !shared.has(at)).map(({ start, end }) => ({ start, end, as: null }))
}

/** The longest series of words that stands in both, in its order. */
function inOrder(mine: readonly Word[], theirs: readonly Word[]): [Set<number>, Set<number>] {
  const wide = theirs.length + 1
  const longest = new Uint16Array((mine.length + 1) * wide)
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = theirs.length - 1; j >= 0; j--)
      longest[i * wide + j] =
        mine[i]!.said === theirs[j]!.said
          ? longest[(i + 1) * wide + j + 1]! + 1
          : Math.max(longest[(i + 1) * wide + j]!, longest[i * wide + j + 1]!)
  const [kept, held] = [new Set<number>(), new Set<number>()]
  for (let i = 0, j = 0; i < mine.length && j < theirs.length;) {
    if (mine[i]!.said === theirs[j]!.said) {
      kept.add(i++)
      held.add(j++)
    } else if (longest[(i + 1) * wide + j]! >= longest[i * wide + j + 1]!) i++
    else j++
  }
  return [kept, held]
}

function anywhere(mine: readonly Word[], theirs: readonly Word[]): [Set<number>, Set<number>] {
  const within = (words: readonly Word[], other: readonly Word[]) => {
    const said = new Set(other.map((word) => word.said))
    return new Set(words.flatMap((word, at) => (said.has(word.said) ? [at] : [])))
  }
  return [within(mine, theirs), within(theirs, mine)]
}
