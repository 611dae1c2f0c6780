import { isTouch } from "./pointer.ts"
import { buttonPosition, clamp, MARGIN, type Position, panelPosition, type Viewport } from "./position.ts"

/** Positions the button and the dialog so that they do not cover the selection. */
export interface Positioner {
  button(selection: Range | null): void
  /** The page behind a bottom styleSheet is scrolled; after a resize only if a keyboard opened. */
  panel(about: Range, isNew: boolean): void
  /** Positions the dialog again if it covers a part of the range. */
  uncover(about: Range): void
}

/** Height of the selection handles of touch screens, below the selection. */
const HANDLE_HEIGHT = 28
/** A viewport that shrinks by more than this has an open keyboard; the bars of a browser are not as tall. */
const MIN_KEYBOARD_HEIGHT = 120

export function createPositioner(button: HTMLElement, panel: HTMLElement): Positioner {
  const isRtl = () => getComputedStyle(panel).direction === "rtl"

  let heightBefore = 0

  function placePanel(about: Range, isNew: boolean) {
    const view = viewport()
    const mayScroll = isNew || view.height < heightBefore - MIN_KEYBOARD_HEIGHT
    heightBefore = view.height
    const position = panelPosition(about.getBoundingClientRect(), view, isRtl())
    const isSheet = position["left"] === undefined
    panel.classList.toggle("bottom-sheet", isSheet)
    applyPosition(panel, position)
    if (!isSheet || !mayScroll) return
    const { top, bottom } = about.getBoundingClientRect()
    const covered = bottom + MARGIN - panel.getBoundingClientRect().top
    scrollBy(0, clamp(covered, 0, top - MARGIN))
  }

  return {
    button(selection) {
      button.hidden = !selection
      if (!selection) return
      const { top, bottom } = selection.getBoundingClientRect()
      button.hidden = bottom < 0 || top > innerHeight
      const last = [...selection.getClientRects()].at(-1) ?? selection.getBoundingClientRect()
      const gap = isTouch() ? HANDLE_HEIGHT : 8
      applyPosition(
        button,
        buttonPosition(top, last, button.getBoundingClientRect(), viewport(), isRtl(), gap),
      )
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

function applyPosition({ style }: HTMLElement, position: Position) {
  style.cssText = Object.entries(position)
    .map(([name, length]) => `${name}:${length}px`)
    .join(";")
}

function viewport(): Viewport {
  const { innerWidth: width, innerHeight: full, visualViewport: visual } = window
  return { width, full, height: visual ? visual.height + visual.offsetTop : full }
}
