export interface ServerEvent {
  /** "" where the stream does not say it. */
  name: string
  data: string
  /** The last id that the stream has given; "" before the first. */
  id: string
}

/**
 * Reads events from text that was cut anywhere: each call takes the next piece and gives the events that are
 * complete by then. What is not complete at the end was never an event.
 */
export function createEventReader(): (piece: string) => ServerEvent[] {
  let line = ""
  let endedByReturn = false
  let name = ""
  let data: string[] = []
  let id = ""

  return (piece) => {
    const events: ServerEvent[] = []
    const lines = (endedByReturn ? piece.replace(/^\n/, "") : piece).split(/\r\n|\r|\n/)
    endedByReturn = piece.endsWith("\r")
    lines[0] = line + lines[0]
    line = lines.pop() ?? ""
    for (const complete of lines) {
      const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(complete) ?? []
      if (field === "event") name = value
      if (field === "data") data.push(value)
      if (field === "id") id = value
      if (complete !== "") continue
      if (data.length > 0) events.push({ name, data: data.join("\n"), id })
      name = ""
      data = []
    }
    return events
  }
}
