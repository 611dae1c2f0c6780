/** The JSON in a base64 string of deflated bytes. */
export async function unpack<T>(base64: string): Promise<T> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
  return JSON.parse(await new Response(stream).text()) as T
}
