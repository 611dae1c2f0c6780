import type { Mark } from "./marks"

const WORD = /[\p{L}\p{N}]+/gu
/** Texts with more words than this are compared by which words they have, not by their order. */
const MAX_ORDERED_WORDS = 1500

interface Word {
  start: number
  end: number
  lower: string
}

/** The words of two texts that are not in the other one, or not in the same order. */
export function diffWords(one: string, other: string): [Mark<null>[], Mark<null>[]] {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)]
  const [sharedMine, sharedTheirs] =
    mine.length * theirs.length <= MAX_ORDERED_WORDS ** 2
      ? sharedInOrder(mine, theirs)
      : sharedAnywhere(mine, theirs)
  return [marks(mine, sharedMine), marks(theirs, sharedTheirs)]
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    lower: match[0].toLowerCase(),
  }))
}

function marks(words: readonly Word[], shared: ReadonlySet<number>): Mark<null>[] {
  return words.filter((_, at) => !shared.has(at)).map(({ start, end }) => ({ start, end, as: null }))
}

/** The longest common subsequence of words. */
function sharedInOrder(mine: readonly Word[], theirs: readonly Word[]): [Set<number>, Set<number>] {
  const wide = theirs.length + 1
  const longest = new Uint16Array((mine.length + 1) * wide)
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = theirs.length - 1; j >= 0; j--)
      longest[i * wide + j] =
        mine[i]!.lower === theirs[j]!.lower
          ? longest[(i + 1) * wide + j + 1]! + 1
          : Math.max(longest[(i + 1) * wide + j]!, longest[i * wide + j + 1]!)
  const [inMine, inTheirs] = [new Set<number>(), new Set<number>()]
  for (let i = 0, j = 0; i < mine.length && j < theirs.length;) {
    if (mine[i]!.lower === theirs[j]!.lower) {
      inMine.add(i++)
      inTheirs.add(j++)
    } else if (longest[(i + 1) * wide + j]! >= longest[i * wide + j + 1]!) i++
    else j++
  }
  return [inMine, inTheirs]
}

function sharedAnywhere(mine: readonly Word[], theirs: readonly Word[]): [Set<number>, Set<number>] {
  const sharedIn = (words: readonly Word[], other: readonly Word[]) => {
    const otherWords = new Set(other.map((word) => word.lower))
    return new Set(words.flatMap((word, at) => (otherWords.has(word.lower) ? [at] : [])))
  }
  return [sharedIn(mine, theirs), sharedIn(theirs, mine)]
}
