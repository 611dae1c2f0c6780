import { useEffect, useRef } from "preact/hooks"

export const KEYS: [string[], string][] = [
  [["j", "↓"], "the next test"],
  [["k", "↑"], "the test before"],
  [["Enter"], "read the open test"],
  [["n"], "the next test that did not pass"],
  [["/"], "search"],
  [["Esc"], "close, or clear the search"],
  [["t"], "light, dark, or as the system has it"],
  [["?"], "this help"],
]

interface Asked {
  open: boolean
  onClose: () => void
  keys?: [string[], string][]
}

/** All keys, in a dialog. */
export function Help({ open, onClose, keys: all = KEYS }: Asked) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose} onClick={onClose}>
      <h2 id="help-title">Keys</h2>
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
