/** The JSON that was packed into letters and digits. */
export async function unpacked<T>(letters: string): Promise<T> {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
  return JSON.parse(await new Response(stream).text()) as T
}
