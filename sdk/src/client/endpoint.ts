/** An origin, a path that does not lead to another one, both or neither; so no name and no password. */
const WANTED = /^(https?:\/\/[^/?#@\\\s]+)?(\/(?![/\\])[^?#\\\s]*)?$/i

/** Where paths are appended to; "" is the page's own origin. */
export function baseOf(endpoint: string): string {
  if (!WANTED.test(endpoint)) {
    throw new TypeError('`endpoint` wants "https://host/path", or "" for this origin')
  }
  return endpoint.replace(/\/+$/, "")
}
