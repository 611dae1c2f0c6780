import { buttonSpot, EDGE, panelSpot, type Room, type Spot, within } from "./placing.ts"
import { isFinger } from "./pointer.ts"

/** Puts the button and the dialog where they do not cover what they are about. */
export interface Arranger {
  button(offer: Range | null): void
  /** A page that lies below a sheet is scrolled, but after a change of the window only for a keyboard. */
  panel(about: Range, isNew: boolean): void
  /** As `panel` anew, if the dialog covers a part of the range; otherwise it stays where it is. */
  uncover(about: Range): void
}

/** What a finger holds on to a selection with hangs below it. */
const HANDLES = 28
/** How much less is seen of the page when a keyboard has come up; the bars of a browser are not as tall. */
const KEYBOARD = 120

export function createArranger(button: HTMLElement, panel: HTMLElement): Arranger {
  const isRtl = () => getComputedStyle(panel).direction === "rtl"

  let heightBefore = 0

  function placePanel(about: Range, isNew: boolean) {
    const seen = room()
    const mayScroll = isNew || seen.height < heightBefore - KEYBOARD
    heightBefore = seen.height
    const spot = panelSpot(about.getBoundingClientRect(), seen, isRtl())
    const isSheet = spot["left"] === undefined
    panel.classList.toggle("sheet", isSheet)
    put(panel, spot)
    if (!isSheet || !mayScroll) return
    const { top, bottom } = about.getBoundingClientRect()
    const covered = bottom + EDGE - panel.getBoundingClientRect().top
    scrollBy(0, within(covered, 0, top - EDGE))
  }

  return {
    button(offer) {
      button.hidden = !offer
      if (!offer) return
      const { top, bottom } = offer.getBoundingClientRect()
      button.hidden = bottom < 0 || top > innerHeight
      const last = [...offer.getClientRects()].at(-1) ?? offer.getBoundingClientRect()
      const gap = isFinger() ? HANDLES : 8
      put(button, buttonSpot(top, last, button.getBoundingClientRect(), room(), isRtl(), gap))
    },
    panel: placePanel,
    uncover(about) {
      const one = about.getBoundingClientRect()
      const other = panel.getBoundingClientRect()
      const isApart =
        one.left > other.right || one.right < other.left || one.top > other.bottom || one.bottom < other.top
      if (!isApart) placePanel(about, true)
    },
  }
}

function put({ style }: HTMLElement, spot: Spot) {
  style.cssText = Object.entries(spot)
    .map(([name, length]) => `${name}:${length}px`)
    .join(";")
}

function room(): Room {
  const { innerWidth: width, innerHeight: whole, visualViewport: seen } = window
  return { width, whole, height: seen ? seen.height + seen.offsetTop : whole }
}
