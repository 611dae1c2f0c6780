/** 128 random bits as text; `crypto.randomUUID` is absent on pages without TLS. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-")
}
