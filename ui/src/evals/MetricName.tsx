/** A metric's name, which may wrap after each of its words. */
export function MetricName({ name }: { name: string }) {
  const parts = name.split(/(?<=_)/)
  return (
    <>
      {parts.map((part, at) => (
        <span key={at}>
          {at > 0 && <wbr />}
          {part}
        </span>
      ))}
    </>
  )
}
