/** A text in which what stands between backticks is shown as quoted. */
export function Ticked({ text }: { text: string }) {
  const parts = text.split("`")
  // A text that is quoted may have a backtick of its own: then nothing is taken for a quotation.
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>
}
