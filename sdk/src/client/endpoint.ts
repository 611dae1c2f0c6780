/** An origin, a path, both or neither; no user name or password, and no path to another origin. */
const ENDPOINT = /^(https?:\/\/[^/?#@\\\s]+)?(\/(?![/\\])[^?#\\\s]*)?$/i

/** The base URL that paths are appended to; "" is the page's own origin. */
export function baseUrl(endpoint: string): string {
  if (!ENDPOINT.test(endpoint)) {
    throw new TypeError('`endpoint` must be "https://host/path", or "" for this origin')
  }
  return endpoint.replace(/\/+$/, "")
}
