/** A text whose parts between backticks are shown as code. */
export function CodeText({ text }: { text: string }) {
  const parts = text.split("`")
  // With an odd number of backticks, one belongs to a quoted text: then nothing is shown as code.
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>
}
