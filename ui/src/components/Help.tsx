import { useEffect, useRef } from "preact/hooks"

export const KEYS: [string[], string][] = [
  [["j", "↓"], "next test"],
  [["k", "↑"], "previous test"],
  [["Enter"], "go to the open test"],
  [["n"], "next test that did not pass"],
  [["/"], "search"],
  [["Esc"], "close, or clear the search"],
  [["t"], "switch theme: system, light, dark"],
  [["?"], "this help"],
]

interface Props {
  open: boolean
  onClose: () => void
  keys?: [string[], string][]
}

/** The keyboard shortcuts, in a dialog. */
export function Help({ open, onClose, keys: all = KEYS }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose} onClick={onClose}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl>
        {all.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}
