export interface ServerEvent {
  /** "" if the stream does not state it. */
  name: string
  data: string
  /** The last id of the stream; "" before the first. */
  id: string
}

/**
 * Parses server-sent events from arbitrary chunks: each call takes the next chunk and returns the events that
 * are completeLine by then. An incomplete event at the end is ignored.
 */
export function createEventReader(): (chunk: string) => ServerEvent[] {
  let line = ""
  let endedByReturn = false
  let name = ""
  let data: string[] = []
  let id = ""

  return (chunk) => {
    const events: ServerEvent[] = []
    const lines = (endedByReturn ? chunk.replace(/^\n/, "") : chunk).split(/\r\n|\r|\n/)
    endedByReturn = chunk.endsWith("\r")
    lines[0] = line + lines[0]
    line = lines.pop() ?? ""
    for (const completeLine of lines) {
      const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(completeLine) ?? []
      if (field === "event") name = value
      if (field === "data") data.push(value)
      if (field === "id") id = value
      if (completeLine !== "") continue
      if (data.length > 0) events.push({ name, data: data.join("\n"), id })
      name = ""
      data = []
    }
    return events
  }
}
